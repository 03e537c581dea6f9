import { isObject, type PlainObject } from './plain-object.ts';
import { readYaml } from './read-yaml.ts';

/** A file of Markdown that may begin with YAML between lines of `---`. */
export interface MarkdownFile {
  readonly matter: PlainObject;
  readonly body: string;
  /** The line, 1-based, on which the body begins. */
  readonly bodyLine: number;
  lineOf(key: string): number;
}

const MATTER = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

/** The YAML at the top of a file, and how many characters it takes with its marks. */
export function matterOf(text: string): { readonly yaml: string; readonly length: number } | undefined {
  const found = MATTER.exec(text);
  return found === null ? undefined : { yaml: found[1] ?? '', length: found[0].length };
}

/** @throws AskemaError `KNOWLEDGE_INVALID` for front matter that is no YAML object. */
export function readMarkdown(text: string, file: string): MarkdownFile {
  const found = matterOf(text);
  if (found === undefined) return { matter: {}, body: text, bodyLine: 1, lineOf: () => 1 };
  // An empty line in place of the first `---`, so that lines of messages are those of the file.
  const { value, lineOf } = readYaml(`\n${found.yaml}`, file);
  return {
    matter: isObject(value) ? value : {},
    body: text.slice(found.length),
    bodyLine: text.slice(0, found.length).split('\n').length,
    lineOf: (key) => lineOf([key]),
  };
}
