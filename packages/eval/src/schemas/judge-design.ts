import {
  addUsage,
  checkWhole,
  createCallContext,
  fromModel,
  isLanguageModel,
  type LanguageModel,
  type Solved,
  type Solver,
  type Usage,
} from '@askema/core';
import { sqliteDialect, writeDdl } from '@askema/dialects';
import type { DesignJudge } from './design-result.ts';
import { type JudgeSchemaOutput, judgeSchemaTask } from './judge-schema.ts';

/** What each dimension weighs in the total. */
const JUDGE_WEIGHTS = { functionalCoverage: 0.4, normalization: 0.3, integrity: 0.3 } as const;

/** A dimension of {@link JUDGE_WEIGHTS}. */
export type JudgeDimension = keyof typeof JUDGE_WEIGHTS;

/** What a model says of a schema. Scores are from 1 to 10. */
export interface DesignJudgement {
  /** The weighted mean of the dimensions. */
  readonly total: number;
  /** Means over the samples. */
  readonly scores: Readonly<Record<JudgeDimension, number>>;
  /** Each answer of the judge, with its reasons. */
  readonly samples: readonly JudgeSchemaOutput[];
  readonly usage: Usage;
  readonly calls: number;
  readonly solvedBy: string;
}

/** Who judges, and how often. */
export interface DesignJudgeOptions {
  /** Best a different model than the one that designs. */
  readonly model: LanguageModel | Solver;
  /** So many answers are averaged. Default: 1. */
  readonly samples?: number | undefined;
}

/**
 * A judge of schemas (SchemaAgent, section 6.5): functional coverage 40 %, redundancy and normalization 30 %, integrity
 * 30 %. It sees the requirement and the schema as DDL, never gold and never who made it.
 *
 * @throws AskemaError `CONFIG_INVALID` when `samples` is no whole number from 1. The judge itself rejects with what the
 * model rejects with.
 */
export function createDesignJudge({ model, samples = 1 }: DesignJudgeOptions): DesignJudge {
  checkWhole('samples', samples);
  const solver = isLanguageModel(model) ? fromModel(model) : model;
  return async ({ requirement }, schema, { signal, runId }) => {
    const ddl = writeDdl(schema, sqliteDialect);
    const solved: Solved<JudgeSchemaOutput>[] = [];
    for (let sample = 1; sample <= samples; sample += 1) {
      // A path of its own for each sample: a cache or a recording must not give one answer several times.
      const context = createCallContext({ runId, path: `judge-schema#${sample}`, signal });
      solved.push(await solver.solve(judgeSchemaTask, { requirement, ddl }, context));
    }
    return judgementOf(solved);
  };
}

function judgementOf(solved: readonly Solved<JudgeSchemaOutput>[]): DesignJudgement {
  const samples = solved.map(({ value }) => value);
  const mean = (dimension: JudgeDimension): number =>
    samples.reduce((sum, sample) => sum + sample[dimension].score, 0) / samples.length;
  const scores = {
    functionalCoverage: mean('functionalCoverage'),
    normalization: mean('normalization'),
    integrity: mean('integrity'),
  };
  return {
    total:
      JUDGE_WEIGHTS.functionalCoverage * scores.functionalCoverage +
      JUDGE_WEIGHTS.normalization * scores.normalization +
      JUDGE_WEIGHTS.integrity * scores.integrity,
    scores,
    samples,
    usage: addUsage(...solved.map(({ usage }) => usage)),
    calls: solved.reduce((sum, { calls }) => sum + calls, 0),
    solvedBy: solved[0]?.solvedBy ?? '',
  };
}
