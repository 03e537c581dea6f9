import type { KnowledgeFormat, TextFile } from './conversion.ts';
import { dbtFormat } from './dbt/dbt-format.ts';
import { ossie011Format, ossieFormat } from './ossie/ossie-format.ts';
import { readYaml } from './read-yaml.ts';
import { snowflakeFormat } from './snowflake/snowflake-format.ts';
import { wrenFormat } from './wren/wren-format.ts';

/** The formats of other tools. Where files may be of several, the first counts. */
export const KNOWLEDGE_FORMATS: readonly KnowledgeFormat[] = [
  wrenFormat,
  ossieFormat,
  ossie011Format,
  snowflakeFormat,
  dbtFormat,
];

/** Which tool wrote files, by their names and the keys at their root; undefined where none is known. */
export function formatOfFiles(files: readonly TextFile[]): KnowledgeFormat | undefined {
  const documents = files.flatMap(({ path, text }) => {
    const keys = keysOf(path, text);
    return keys === undefined ? [] : [{ name: path.slice(path.lastIndexOf('/') + 1), keys }];
  });
  return KNOWLEDGE_FORMATS.find(({ wrote }) => documents.some(({ name, keys }) => wrote?.(name, keys)));
}

function keysOf(path: string, text: string): ReadonlySet<string> | undefined {
  if (!/\.(ya?ml|json)$/i.test(path)) return undefined;
  try {
    const { value } = readYaml(text, path);
    return typeof value === 'object' && value !== null ? new Set(Object.keys(value)) : undefined;
  } catch {
    // The importer says what is wrong with it.
    return undefined;
  }
}
