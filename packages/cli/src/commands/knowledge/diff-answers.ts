import { AskemaError } from '@askema/core';
import type { AnswerDifference, AnswerDifferences, MetricDifference } from '@askema/knowledge';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { printable } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import type { DiffFlags } from './diff-knowledge.ts';
import { inColumns } from './in-columns.ts';
import { findFolder, loadFolder } from './knowledge-folder.ts';
import { counted } from './tell-losses.ts';

/** `askema knowledge diff --run DATABASE`; returns the exit code: 1 where an answer changes, fails or is contradicted. */
export async function diffAnswersIn(
  address: string,
  other: string | undefined,
  flags: DiffFlags,
  context: CommandContext,
): Promise<number> {
  const { out, err, signal } = context;
  if (other !== undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      '--run compares this folder with its proposals; leave out the other folder.',
    );
  const { folder, loaded } = await findFolder(flags, context);
  const maxStatements =
    flags.maxStatements === undefined ? undefined : parseCount(flags.maxStatements, '--max-statements');
  const timeoutMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, '--timeout');
  const before = await loadFolder(folder);
  const { diffAnswers, takeProposals } = await import('@askema/knowledge');
  const after = takeProposals(before, ({ by }) => flags.of === undefined || flags.of === (by ?? ''));
  const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context);
  const line = startProgressLine(err);
  try {
    line.show('asking the verified questions');
    const found = await diffAnswers({ before, after, adapter, maxStatements, timeoutMs, signal });
    await line.stop();
    if (flags.json === true)
      await out.write(`${escapeJson(JSON.stringify({ schemaVersion: 1, ...found }, null, 2))}\n`);
    else await tell(found, context);
    const isKept = [...found.metrics, ...found.answers].every(({ verdict }) => KEPT.has(verdict));
    return isKept ? EXIT.ok : EXIT.failed;
  } finally {
    await line.stop();
    await adapter.close();
  }
}

/** No answer that there was is another one. */
const KEPT: ReadonlySet<string> = new Set(['same', 'broken', 'new']);

async function tell(
  { metrics, answers, statements, skipped }: AnswerDifferences,
  { out, err }: CommandContext,
): Promise<void> {
  if (metrics.length + answers.length > 0)
    await out.write(inColumns([HEAD, ...metrics.map(metricRowOf), ...answers.map(rowOf)]));
  for (const { what, reason } of skipped) await err.write(`${err.dim(printable(`skipped ${what}: ${reason}`))}\n`);
  const same = answers.filter(({ verdict }) => verdict === 'same').length;
  await err.write(
    `${counted(metrics.length, 'metric')} defined anew; ${counted(answers.length, 'question')}, ${same} with the same answer; ${counted(statements, 'statement')} run.\n`,
  );
}

const HEAD = ['', 'entry', 'before', 'after', 'by definitions alone', ''];

function metricRowOf({ verdict, name, before, after, reason }: MetricDifference): readonly string[] {
  return [verdict, `metric:${name}`, before ?? '-', after ?? '-', '-', reason ?? ''].map(printable);
}

function rowOf({ verdict, id, before, after, defined, reason }: AnswerDifference): readonly string[] {
  return [verdict, `query:${id}`, before ?? '-', after ?? '-', defined ?? '-', reason ?? ''].map(printable);
}
