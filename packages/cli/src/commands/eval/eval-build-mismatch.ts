import { resolve } from 'node:path';
import { type Adapter, AskemaError, createCallContext } from '@askema/core';
import { buildMismatch, MISMATCH_KINDS, type MismatchSet, REVIEW_STATES } from '@askema/eval';
import { loadConfig } from '../../config/load-config.ts';
import { parseCount } from '../../flags/parse-count.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { createLinter, type Linter } from '../lint/linter.ts';
import { databaseOpener, describeDataset, openQuestions } from './open-questions.ts';

export interface EvalBuildMismatchFlags {
  readonly out?: string | undefined;
  /** Of the dataset. */
  readonly format?: string | undefined;
  readonly seed?: string | undefined;
  readonly limit?: string | undefined;
  readonly acceptAll?: true | undefined;
  readonly config?: string | undefined;
}

/** `askema eval build-mismatch DATASET`; returns the exit code. */
export async function runEvalBuildMismatch(
  place: string,
  flags: EvalBuildMismatchFlags,
  context: CommandContext,
): Promise<number> {
  const { host, out, err, signal } = context;
  if (flags.out === undefined)
    throw new AskemaError('INPUT_INVALID', '--out is missing: the folder for the set, where a second start goes on.');
  const seed = flags.seed === undefined ? undefined : parseCount(flags.seed, '--seed');
  const limit = flags.limit === undefined ? undefined : parseCount(flags.limit, '--limit');
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const dataset = await openQuestions(place, { format: flags.format }, loaded, context);
  const folder = resolve(host.cwd, flags.out);
  await err.write(`${describeDataset(dataset)} · ${folder}\n`);
  const retriever = retrieverOfOne(context);
  const line = startProgressLine(err);
  try {
    const set = await buildMismatch({
      dataset,
      out: folder,
      connect: databaseOpener({}, loaded, context),
      missingValues: (sql, adapter) => retriever.missingIn(sql, adapter),
      seed,
      limit,
      acceptAll: flags.acceptAll,
      signal,
      onProgress: (done, total) => line.show(`${done} of ${total} questions`),
    });
    await line.stop();
    await out.write(summaryOf(set));
    const open = set.items.filter(({ state }) => state === 'proposed').length;
    if (open > 0)
      await err.write(
        `${open} wait for a decision: write "accepted" or "rejected" into \`state\` of their lines in ${resolve(folder, 'review.jsonl')}, and start this command again.\n`,
      );
    return EXIT.ok;
  } finally {
    await line.stop();
    await retriever.close();
  }
}

/** The retriever over the database at hand. */
function retrieverOfOne({ signal }: CommandContext) {
  let current: { readonly adapter: Adapter; readonly linter: Linter } | undefined;
  const close = async (): Promise<void> => {
    await current?.linter.close();
    current = undefined;
  };
  return {
    close,
    async missingIn(sql: string, adapter: Adapter) {
      if (current?.adapter !== adapter) {
        await close();
        const context = createCallContext({ path: 'retriever', signal });
        const catalog = await adapter.introspect({ context });
        const without = new Set(['detector', 'planner'] as const);
        current = { adapter, linter: createLinter({ adapter, catalog, context, severities: {}, without }) };
      }
      const findings = await current.linter.lint(sql);
      return findings.flatMap(({ code, value, column }) =>
        code === 'value-not-found' && value !== undefined && column !== undefined ? [{ value, column }] : [],
      );
    },
  };
}

function summaryOf({ items, added }: MismatchSet): string {
  const count = (what: string, matches: (one: MismatchSet['items'][number]) => boolean): string =>
    `  ${what}: ${items.filter(matches).length}\n`;
  return [
    `${items.length} changed questions, ${added} of them new\n`,
    ...REVIEW_STATES.map((state) => count(state, (one) => one.state === state)),
    'by what was changed:\n',
    ...MISMATCH_KINDS.map((kind) => count(kind, ({ mismatch }) => mismatch.kind === kind)),
  ].join('');
}
