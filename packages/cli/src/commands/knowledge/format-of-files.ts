import { basename } from 'node:path';
import { AskemaError } from '@askema/core';
import type { TextFile } from '@askema/knowledge';
import { parse } from 'yaml';

export type ImportFormat = 'dbt' | 'snowflake' | 'wren' | 'ossie';

/** Which tool wrote files, by their names and the keys at their root. The first that fits one of them counts. */
export function formatOfFiles(files: readonly TextFile[]): ImportFormat {
  const documents = files.flatMap(({ path, text }) => {
    const keys = keysOf(path, text);
    return keys === undefined ? [] : [{ name: basename(path), keys }];
  });
  const some = (test: (document: { readonly name: string; readonly keys: ReadonlySet<string> }) => boolean) =>
    documents.some(test);
  if (some(({ name, keys }) => name === 'wren_project.yml' || (name === 'mdl.json' && keys.has('models'))))
    return 'wren';
  if (some(({ keys }) => keys.has('version') && (keys.has('semantic_model') || keys.has('datasets')))) return 'ossie';
  if (some(({ keys }) => keys.has('tables'))) return 'snowflake';
  if (some(({ keys }) => keys.has('semantic_models') || keys.has('metrics') || keys.has('models'))) return 'dbt';
  throw new AskemaError(
    'INPUT_INVALID',
    `No tool is known that writes ${files.length === 1 ? `a file like ${files[0]?.path}` : 'files like these'}. ` +
      'Say which one it was: --format dbt, snowflake, wren or ossie.',
  );
}

function keysOf(path: string, text: string): ReadonlySet<string> | undefined {
  if (!/\.(ya?ml|json)$/i.test(path)) return undefined;
  try {
    const value: unknown = /\.json$/i.test(path) ? JSON.parse(text) : parse(text, { maxAliasCount: 200, merge: true });
    return typeof value === 'object' && value !== null ? new Set(Object.keys(value)) : undefined;
  } catch {
    // The importer says what is wrong with it.
    return undefined;
  }
}
