import { AskemaError } from '@askema/core';
import { escapeJson } from '../format/format-json.ts';
import { formatNormalized } from '../normalize/format-normalized.ts';
import { normalizeRelations } from '../normalize/normalize-relation.ts';
import { readRelations } from '../normalize/read-relations.ts';
import { EXIT } from '../process/exit-code.ts';
import { parseCount } from '../terminal/parse-count.ts';
import type { CommandContext } from './command-context.ts';
import { readAll } from './read-input.ts';
import { readTextFile } from './read-text-file.ts';

export interface NormalizeFlags {
  readonly json?: boolean | undefined;
  readonly maxKeys?: string | undefined;
}

/** `askema normalize FILE`; returns the exit code: 1 where a certificate does not hold. */
export async function runNormalize(
  file: string | undefined,
  flags: NormalizeFlags,
  { host, out }: CommandContext,
): Promise<number> {
  const maxKeys = flags.maxKeys === undefined ? undefined : parseCount(flags.maxKeys, '--max-keys');
  if (file === undefined && host.stdin.isTTY === true) {
    throw new AskemaError(
      'INPUT_INVALID',
      'FILE is missing: askema normalize relations.yaml, or `-` for stdin. `askema normalize --help` shows such a file.',
    );
  }
  const isPiped = file === undefined || file === '-';
  const text = isPiped
    ? await readAll(host.stdin, 'relations')
    : await readTextFile(file, host.cwd, `The file ${file}`);
  const relations = normalizeRelations(readRelations(text, isPiped ? 'stdin' : file), { maxKeys });
  if (flags.json === true) {
    await out.write(`${escapeJson(JSON.stringify({ schemaVersion: 1, relations }, null, 2))}\n`);
  } else {
    for (const [at, relation] of relations.entries())
      await out.write(`${at === 0 ? '' : '\n'}${formatNormalized(relation, out)}`);
  }
  return relations.every(({ verdict }) => verdict.valid) ? EXIT.ok : EXIT.failed;
}
