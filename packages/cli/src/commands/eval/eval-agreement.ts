import { resolve } from 'node:path';
import { formatAgreement, loadVerdicts, measureAgreement, type Verdicts } from '@askema/eval';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';

export interface EvalAgreementFlags {
  readonly json?: true | undefined;
}

/** `askema eval agreement PERSON JUDGE`; returns the exit code. */
export async function runEvalAgreement(
  person: string,
  judge: string,
  flags: EvalAgreementFlags,
  { host, out, err }: CommandContext,
): Promise<number> {
  const own = await loadVerdicts(resolve(host.cwd, person));
  const theirs = await loadVerdicts(resolve(host.cwd, judge));
  for (const { name, problems } of [own, theirs] satisfies Verdicts[])
    for (const { message } of problems) await err.write(`${printableLines(`${name}: ${message}`)}\n`);
  const report = measureAgreement(own, theirs);
  const text =
    flags.json === true ? escapeJson(JSON.stringify(report, null, 2)) : printableLines(formatAgreement(report));
  await out.write(`${text}\n`);
  return EXIT.ok;
}
