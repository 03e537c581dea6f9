import { type Schema, type SerializedError, toAskemaError, verifyCertificate } from '@askema/core';
import type { DesignOutcome } from '@askema/text2schema';
import { costOf } from '../run/cost-of.ts';
import type { DdlRun, DesignCertificates, DesignEvaluationOptions, DesignResult } from './design-result.ts';
import type { SchemaItem } from './schema-dataset.ts';
import type { SchemaScore, ScorerName } from './schema-score.ts';
import type { SchemaScorer } from './schema-scorer.ts';

type DesignOneOptions = Pick<DesignEvaluationOptions, 'design' | 'judge' | 'runDdl' | 'prices' | 'signal'> & {
  readonly scorers: readonly SchemaScorer[];
  readonly runId: string;
};

/** Designs, scores, judges and tries one requirement. Whatever fails becomes a part of the result; undefined when it was stopped. */
export async function designOne(item: SchemaItem, options: DesignOneOptions): Promise<DesignResult | undefined> {
  const started = Date.now();
  const { signal, runId } = options;
  let outcome: DesignOutcome | undefined;
  let error: SerializedError | undefined;
  try {
    outcome = await options.design(item.requirement, { signal, runId, id: item.id });
  } catch (thrown) {
    if (signal?.aborted) return undefined;
    error = toAskemaError(thrown).toJSON();
  }
  // A design that was stopped is done again; what it had is in the journal of whoever designs.
  if (signal?.aborted && (outcome === undefined || outcome.type === 'cancelled')) return undefined;
  const elapsedMs = outcome?.elapsedMs ?? Date.now() - started;
  const schema = outcome === undefined ? undefined : schemaOf(outcome);
  const costUsd =
    outcome === undefined || options.prices === undefined ? undefined : costOf(outcome.usage, options.prices);
  const ddl = await ddlOf(schema, options);
  const judgement = await judgementOf(item, schema, options);
  // Stopped behind the design: it is not kept with half of its measures.
  if (signal?.aborted && (ddl.ddl?.runs === false || judgement.judgeError !== undefined)) return undefined;
  return {
    schemaVersion: 1,
    id: item.id,
    domain: item.domain,
    goldTables: item.gold.relations.length,
    ending: outcome?.type ?? 'threw',
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error }),
    scores: await scoresOf(item, schema, options.scorers),
    ...(outcome?.artefacts.design === undefined ? {} : { certificates: certificatesOf(outcome) }),
    ...ddl,
    ...judgement,
    elapsedMs,
    ...(costUsd === undefined ? {} : { costUsd }),
    finishedAt: new Date().toISOString(),
  };
}

/** The schema of an outcome, finished or not. */
export function schemaOf(outcome: DesignOutcome): Schema | undefined {
  return 'schema' in outcome ? outcome.schema : undefined;
}

/** Scores by all scorers; those that drop the sample are missing. */
export async function scoresOf(
  item: SchemaItem,
  schema: Schema | undefined,
  scorers: readonly SchemaScorer[],
): Promise<Partial<Record<ScorerName, SchemaScore>>> {
  const scores: Partial<Record<ScorerName, SchemaScore>> = {};
  for (const scorer of scorers) {
    const scored = await scorer.score(item.gold, schema);
    if (scored !== undefined) scores[scorer.name] = scored.score;
  }
  return scores;
}

function certificatesOf(outcome: DesignOutcome): DesignCertificates {
  const verdicts = (outcome.artefacts.design?.decompositions ?? []).map((decomposition) => ({
    name: decomposition.original.name,
    ...verifyCertificate(decomposition),
  }));
  return {
    checked: verdicts.length,
    valid: verdicts.filter((verdict) => verdict.valid).length,
    problems: verdicts.flatMap(({ name, problems }) => problems.map(({ message }) => `${name}: ${message}`)),
  };
}

async function ddlOf(
  schema: Schema | undefined,
  { runDdl, signal }: DesignOneOptions,
): Promise<{ readonly ddl?: DdlRun }> {
  if (schema === undefined || runDdl === undefined) return {};
  try {
    return { ddl: await runDdl(schema, signal) };
  } catch (thrown) {
    return { ddl: { runs: false, error: toAskemaError(thrown).message } };
  }
}

async function judgementOf(
  item: SchemaItem,
  schema: Schema | undefined,
  { judge, signal, runId }: DesignOneOptions,
): Promise<Pick<DesignResult, 'judgement' | 'judgeError'>> {
  if (schema === undefined || judge === undefined) return {};
  try {
    return { judgement: await judge(item, schema, { signal, runId: `${runId}-judge` }) };
  } catch (thrown) {
    return { judgeError: toAskemaError(thrown).toJSON() };
  }
}
