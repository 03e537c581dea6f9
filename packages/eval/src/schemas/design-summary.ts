import { addUsage, type ChatMessage, feedbackSummary, type JsonValue, messageMatrix, type Usage } from '@askema/core';
import type { DesignOutcome } from '@askema/text2schema';
import type { DesignResult } from './design-result.ts';
import type { JudgeDimension } from './judge-design.ts';
import type { SchemaDataset, SchemaDefect, SchemaItem, SchemaRowProblem } from './load-schema-dataset.ts';
import { meanScore, type SchemaScore, type SchemaScorer, type ScorerName } from './schema-score.ts';

/** The means of one scorer. */
export interface ScorerSummary {
  readonly scorer: ScorerName;
  readonly ports: readonly string[];
  /** Requirements in the means: all that are finished, without those that the scorer drops. */
  readonly counted: number;
  readonly dropped: number;
  readonly mean?: SchemaScore | undefined;
}

/** Requirements whose gold has so many tables. */
export interface SizeGroup {
  readonly tables: number;
  readonly requirements: number;
  /** By the first scorer. */
  readonly mean?: SchemaScore | undefined;
  readonly feedback: FeedbackStatistics;
}

/** A whole run of designs added up: `summary.json`. Plain JSON. */
export interface DesignSummary {
  readonly schemaVersion: 1;
  readonly dataset: string;
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Requirements that have a result. */
  readonly finished: number;
  /** Selected requirements that have none yet: the run was stopped. */
  readonly unfinished: number;
  readonly endings: Readonly<Partial<Record<DesignResult['ending'], number>>>;
  /** Of those designed: the last role agreed. */
  readonly accepted: number;
  readonly scorers: readonly ScorerSummary[];
  readonly bySize: readonly SizeGroup[];
  readonly feedback: FeedbackStatistics;
  /** Messages from role to role, over all transcripts (SchemaAgent, Figure 8). */
  readonly matrix: TotalMatrix;
  readonly usage: Usage;
  readonly calls: number;
  /** The sum over all requirements. */
  readonly elapsedMs: number;
  readonly costUsd?: number | undefined;
  readonly rounds: number;
  /** Schemas of which every certificate is valid; undefined where no strategy made one. */
  readonly certificates?:
    | { readonly schemas: number; readonly valid: number; readonly problems: readonly Remark[] }
    | undefined;
  /** Tests of the roles that ran on the designs; undefined where none ran. */
  readonly tests?: DesignTests | undefined;
  /** Schemas whose DDL ran in a database; undefined where it was not tried. */
  readonly ddl?: { readonly schemas: number; readonly runs: number; readonly problems: readonly Remark[] } | undefined;
  readonly judge?: JudgeSummary | undefined;
  /** Requirements without a finished schema, and why. */
  readonly failures: readonly Remark[];
  /** Defects of gold among the selected requirements. */
  readonly defects: readonly SchemaDefect[];
  readonly problems: readonly SchemaRowProblem[];
}

/** What the tests of all designs came to, in test steps where the roles work as in the paper. */
export interface DesignTests {
  readonly designs: number;
  readonly tests: number;
  readonly passed: number;
  /** Mistakes that code planted into the designs, and those that the tests noticed; 0 where nothing was planted. */
  readonly planted: number;
  readonly noticed: number;
}

/** Something about one requirement. */
export interface Remark {
  readonly id: string;
  readonly message: string;
}

/** Means over the schemas that were judged; scores are from 1 to 10. */
export interface JudgeSummary {
  readonly judged: number;
  readonly total: number;
  readonly scores: Readonly<Record<JudgeDimension, number>>;
  readonly usage: Usage;
  readonly calls: number;
  readonly failures: readonly Remark[];
}

interface SummaryInput {
  readonly dataset: SchemaDataset;
  readonly selected: readonly SchemaItem[];
  readonly scorers: readonly SchemaScorer[];
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Of the selected requirements, with the scores of these scorers. */
  readonly results: readonly DesignResult[];
}

/** Adds a run up. */
export function summariseDesigns({ dataset, selected, scorers, configuration, results }: SummaryInput): DesignSummary {
  const outcomes = results.flatMap((result) => result.outcome ?? []);
  const endings: Partial<Record<DesignResult['ending'], number>> = {};
  for (const { ending } of results) endings[ending] = (endings[ending] ?? 0) + 1;
  const costs = results.flatMap((result) => result.costUsd ?? []);
  const judge = summariseJudge(results);
  const ddl = results.flatMap((result) => (result.ddl === undefined ? [] : [{ id: result.id, ...result.ddl }]));
  return {
    schemaVersion: 1,
    dataset: dataset.name,
    configuration,
    finished: results.length,
    unfinished: selected.length - results.length,
    endings,
    accepted: outcomes.filter((outcome) => outcome.type === 'designed' && outcome.accepted).length,
    scorers: scorers.map((scorer) => {
      const scores = results.flatMap((result) => result.scores[scorer.name] ?? []);
      return summariseScorer(scorer, scores, results.length);
    }),
    bySize: groupsBySize(results, scorers[0]?.name ?? 'strict'),
    feedback: summariseFeedback(results),
    matrix: totalMatrix(outcomes.map((outcome) => outcome.transcript)),
    usage: addUsage(...outcomes.map((outcome) => outcome.usage)),
    calls: sum(outcomes.map((outcome) => outcome.calls)),
    elapsedMs: sum(results.map((result) => result.elapsedMs)),
    ...(costs.length === 0 ? {} : { costUsd: sum(costs) }),
    rounds: sum(outcomes.map((outcome) => outcome.rounds)),
    ...summariseCertificates(results),
    ...summariseTests(outcomes),
    ...(ddl.length === 0
      ? {}
      : {
          ddl: {
            schemas: ddl.length,
            runs: ddl.filter((run) => run.runs).length,
            problems: ddl.flatMap(({ id, runs, error }) => (runs ? [] : [{ id, message: error ?? 'did not run' }])),
          },
        }),
    ...(judge === undefined ? {} : { judge }),
    failures: results.flatMap((result) => failureOf(result) ?? []),
    defects: selected.flatMap((item) => item.defects),
    problems: dataset.problems,
  };
}

/** Adds up what one scorer gave to `finished` requirements; those without a score it dropped. */
export function summariseScorer(
  { name, ports }: SchemaScorer,
  scores: readonly SchemaScore[],
  finished: number,
): ScorerSummary {
  const mean = meanScore(scores);
  return {
    scorer: name,
    ports,
    counted: scores.length,
    dropped: finished - scores.length,
    ...(mean === undefined ? {} : { mean }),
  };
}

function groupsBySize(results: readonly DesignResult[], scorer: ScorerName): readonly SizeGroup[] {
  const sizes = [...new Set(results.map((result) => result.goldTables))].sort((a, b) => a - b);
  return sizes.map((tables) => {
    const group = results.filter((result) => result.goldTables === tables);
    const mean = meanScore(group.flatMap((result) => result.scores[scorer] ?? []));
    return {
      tables,
      requirements: group.length,
      ...(mean === undefined ? {} : { mean }),
      feedback: summariseFeedback(group),
    };
  });
}

function summariseCertificates(results: readonly DesignResult[]): Pick<DesignSummary, 'certificates'> {
  const checked = results.flatMap(({ id, certificates }) =>
    certificates === undefined || certificates.checked === 0 ? [] : [{ id, ...certificates }],
  );
  if (checked.length === 0) return {};
  return {
    certificates: {
      schemas: checked.length,
      valid: checked.filter((each) => each.valid === each.checked).length,
      problems: checked.flatMap(({ id, problems }) => problems.map((message) => ({ id, message }))),
    },
  };
}

function summariseTests(outcomes: readonly DesignOutcome[]): Pick<DesignSummary, 'tests'> {
  const runs = outcomes.flatMap(({ artefacts }) => artefacts.testReport?.run ?? []);
  if (runs.length === 0) return {};
  const checks = outcomes.flatMap(({ artefacts }) => artefacts.mutationCheck ?? []);
  return {
    tests: {
      designs: runs.length,
      tests: sum(runs.map(({ results }) => results.length)),
      passed: sum(runs.map(({ counts }) => counts.passed)),
      planted: sum(checks.map(({ planted }) => planted)),
      noticed: sum(checks.map(({ noticed }) => noticed)),
    },
  };
}

function summariseJudge(results: readonly DesignResult[]): JudgeSummary | undefined {
  const judged = results.flatMap((result) => result.judgement ?? []);
  const failures = results.flatMap(({ id, judgeError }) =>
    judgeError === undefined ? [] : [{ id, message: judgeError.message }],
  );
  if (judged.length + failures.length === 0) return undefined;
  const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);
  return {
    judged: judged.length,
    total: mean(judged.map((each) => each.total)),
    scores: {
      functionalCoverage: mean(judged.map((each) => each.scores.functionalCoverage)),
      normalization: mean(judged.map((each) => each.scores.normalization)),
      integrity: mean(judged.map((each) => each.scores.integrity)),
    },
    usage: addUsage(...judged.map((each) => each.usage)),
    calls: sum(judged.map((each) => each.calls)),
    failures,
  };
}

function failureOf({ id, ending, error, outcome }: DesignResult): Remark | undefined {
  if (error !== undefined) return { id, message: `${ending}: ${error.message}` };
  if (outcome === undefined || outcome.type === 'designed') return undefined;
  if (outcome.type === 'refused') return { id, message: `${ending}: ${outcome.reason}` };
  if (outcome.type === 'needsClarification')
    return { id, message: `${ending}: ${outcome.questions.map(({ question }) => question).join(' ')}` };
  return { id, message: `${ending}: ${outcome.error.message}` };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

/** Who takes part in the nested chat about the conceptual model. */
const CONCEPTUAL_ROLES: ReadonlySet<string> = new Set(['conceptual-designer', 'conceptual-reviewer']);

/** How often roles sent work back (SchemaAgent, section 6.3). */
export interface FeedbackStatistics {
  /** Requirements with a transcript in which roles could complain. */
  readonly chats: number;
  /** Of these: with at least one complaint. */
  readonly withFeedback: number;
  /** Of these: all complaints between conceptual designer and conceptual reviewer. */
  readonly onlyConceptual: number;
  /** Complaints between conceptual designer and conceptual reviewer. */
  readonly conceptualErrors: number;
  /** All other complaints. */
  readonly otherErrors: number;
}

/** Messages of several transcripts added up. */
export interface TotalMatrix {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** `counts[row][column]`. */
  readonly counts: readonly (readonly number[])[];
}

/** Counts complaints over the transcripts of results; designs of one role have none. */
export function summariseFeedback(results: readonly DesignResult[]): FeedbackStatistics {
  let chats = 0;
  let withFeedback = 0;
  let onlyConceptual = 0;
  let conceptualErrors = 0;
  let otherErrors = 0;
  for (const { outcome } of results) {
    if (outcome === undefined || outcome.rounds === 0) continue;
    chats += 1;
    const { total, pairs } = feedbackSummary(outcome.transcript);
    const conceptual = pairs
      .filter(({ from, to }) => CONCEPTUAL_ROLES.has(from) && CONCEPTUAL_ROLES.has(to))
      .reduce((sum, { count }) => sum + count, 0);
    const all = pairs.reduce((sum, { count }) => sum + count, 0);
    if (total > 0) withFeedback += 1;
    if (total > 0 && conceptual === all) onlyConceptual += 1;
    conceptualErrors += conceptual;
    otherErrors += all - conceptual;
  }
  return { chats, withFeedback, onlyConceptual, conceptualErrors, otherErrors };
}

/** The role-by-role matrix of all transcripts together. */
function totalMatrix(transcripts: readonly (readonly ChatMessage[])[]): TotalMatrix {
  const from: string[] = [];
  const to: string[] = [];
  const counts = new Map<string, number>();
  for (const transcript of transcripts) {
    const matrix = messageMatrix(transcript);
    for (const [row, sender] of matrix.from.entries()) {
      if (!from.includes(sender)) from.push(sender);
      for (const [column, receiver] of matrix.to.entries()) {
        if (!to.includes(receiver)) to.push(receiver);
        const key = JSON.stringify([sender, receiver]);
        counts.set(key, (counts.get(key) ?? 0) + (matrix.counts[row]?.[column] ?? 0));
      }
    }
  }
  return {
    from,
    to,
    counts: from.map((sender) => to.map((receiver) => counts.get(JSON.stringify([sender, receiver])) ?? 0)),
  };
}
