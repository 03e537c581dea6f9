import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { buildRequirements, formatRequirementsSummary, loadSchemaSources } from '@askema/eval';
import { loadConfig } from '../../config/load-config.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { chooseDesignModel } from '../../flags/read-design-flags.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';

export interface EvalBuildRequirementsFlags extends CommonFlags {
  readonly out?: string | undefined;
  readonly model?: string | undefined;
  /** A model that reviews in place of a person. */
  readonly reviewer?: string | undefined;
  readonly limit?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly json?: true | undefined;
}

/** `askema eval build-requirements SCHEMAS`; returns the exit code: 1 where a step failed. */
export async function runEvalBuildRequirements(
  place: string,
  flags: EvalBuildRequirementsFlags,
  context: CommandContext,
): Promise<number> {
  const { host, out, err, signal } = context;
  if (flags.out === undefined) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--out is missing: the folder for the data set, where a second start goes on.',
    );
  }
  const limit = flags.limit === undefined ? undefined : parseCount(flags.limit, '--limit');
  const concurrency = flags.concurrency === undefined ? undefined : parseCount(flags.concurrency, '--concurrency');
  const schemas = await loadSchemaSources(resolve(host.cwd, place));
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const search = { loaded, env: host.env, signal };
  const writer = await chooseDesignModel(flags.model, search);
  const reviewer = flags.reviewer === undefined ? undefined : await chooseDesignModel(flags.reviewer, search);
  const folder = resolve(host.cwd, flags.out);
  await err.write(
    `${writer.label} (${writer.origin}) · reviews by ${reviewer?.label ?? 'a person'} · ${schemas.sources.length} schemas · ${printableLines(folder)}\n`,
  );
  const line = startProgressLine(err);
  try {
    const summary = await buildRequirements({
      schemas,
      out: folder,
      writer,
      reviewer,
      limit,
      concurrency,
      signal,
      onProgress: ({ done, total }) => line.show(`${done}/${total}`),
    });
    await line.stop();
    const text =
      flags.json === true
        ? escapeJson(JSON.stringify(summary, null, 2))
        : printableLines(formatRequirementsSummary(summary));
    await out.write(`${text}\n`);
    if (signal.aborted) return EXIT.interrupted;
    return summary.failures.length === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    await line.stop();
  }
}
