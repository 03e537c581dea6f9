import { AskemaError } from '@askema/core';
import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { readPlainJson, readPlainYaml } from './plain-yaml.ts';

/** A YAML or JSON file as plain data. */
export interface YamlFile {
  readonly value: unknown;
  /** The line, 1-based, on which the value at `path` stands; of its nearest parent where it is not there. */
  lineOf(path: readonly (string | number)[]): number;
  /** The same where it is known without reading the text anew. */
  lineNear(path: readonly (string | number)[]): number | undefined;
}

/** Longer files are not read. A model of 500 metrics has some 300 KB. */
const MAX_CHARACTERS = 20_000_000;
/** A file of aliases of aliases would become larger than the memory. */
const MAX_ALIASES = 200;

/**
 * Reads YAML 1.2, of which JSON is a part. Tags of other types are refused; keys that stand twice are, too.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` with the file and the line.
 */
export function readYaml(text: string, file: string): YamlFile {
  if (text.length > MAX_CHARACTERS)
    throw invalid(file, 1, `it has ${text.length} characters; files up to ${MAX_CHARACTERS} are read. Split it`);
  const quick = /^\s*[[{]/.test(text) ? readPlainJson(text) : readPlainYaml(text);
  if (quick === undefined) return readWhole(text, file);
  const { value, lines } = quick;
  let whole: YamlFile | undefined;
  const lineOf = (path: Path): number => {
    whole ??= readWhole(text, file);
    return whole.lineOf(path);
  };
  return { value, lineOf, lineNear: (path) => lines?.get(nearest(value, path)) };
}

type Path = readonly (string | number)[];

/** The innermost object or list on the way. */
function nearest(value: unknown, path: Path): object {
  let found = value as object;
  for (const part of path) {
    const below: unknown = (found as Readonly<Record<string | number, unknown>>)[part];
    if (typeof below !== 'object' || below === null) break;
    found = below;
  }
  return found;
}

/** Reads everything that YAML has, and says what is wrong with it. */
function readWhole(text: string, file: string): YamlFile {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, stringKeys: true, uniqueKeys: false });
    const [problem = keyTwice(document)] = [...document.errors, ...document.warnings];
    if (problem !== undefined)
      throw invalid(file, lineAt(problem.pos[0]), problem.message.split(/ at line |\n/)[0] ?? problem.message);
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const lineOf = (path: Path): number => {
      for (let length = path.length; length > 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range != null) return lineAt(node.range[0]);
      }
      return 1;
    };
    return { value, lineOf, lineNear: lineOf };
  } catch (thrown) {
    if (thrown instanceof AskemaError) throw thrown;
    // Brackets that nest without end, aliases that multiply.
    const reason = thrown instanceof RangeError ? 'it nests too deep' : (thrown as Error).message.split('\n')[0];
    throw invalid(file, 1, String(reason));
  }
}

/** The library compares every key with all before it, which takes hours for a file of a million keys. */
function keyTwice(
  document: Document,
): { readonly pos: readonly [number, number]; readonly message: string } | undefined {
  let found: { readonly pos: readonly [number, number]; readonly message: string } | undefined;
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) {
          const [start = 0, end = 0] = (isNode(key) ? key.range : undefined) ?? [];
          found = { pos: [start, end], message: 'Map keys must be unique' };
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return found;
}

function invalid(file: string, line: number, reason: string): AskemaError {
  return new AskemaError('KNOWLEDGE_INVALID', `${file}:${line} cannot be read: ${reason}.`, {
    details: { file, line },
  });
}
