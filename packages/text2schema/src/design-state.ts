import { type ChatState, startChat } from '@askema/core';
import type { Requirement } from './intake/read-requirement.ts';
import { editedDesign } from './mapping/check-design.ts';
import type {
  ConceptualModel,
  DesignArtefacts,
  DesignFinding,
  LogicalDesign,
  LogicalProposal,
  PresetName,
  RequirementTestResult,
  SchemaRole,
  StrategyName,
  TestReport,
} from './model/index.ts';
import { createSpent, type Spent } from './spending.ts';
import type { Dispute } from './tasks/index.ts';

/** What of the options decides the course of a run. Plain data: it is recorded with the run. */
export interface DesignSettings {
  readonly maxRounds: number;
  readonly productManager: boolean;
  readonly reviewer: boolean;
  readonly tests: boolean;
  readonly errorRoutes: boolean;
  readonly explicitConstraints: boolean;
  readonly stopOnContradiction: boolean;
  /** True where a person answers questions. */
  readonly asks: boolean;
  readonly preset: PresetName;
  readonly mutationCheck: boolean;
}

/** Where a run of the preset `tested` stands. */
interface TestedState {
  results: RequirementTestResult[];
  /** What a wrong design would do and no test would notice. */
  unnoticed: string[];
  /** Reviews that were written. */
  reviews: number;
  /** True when the tests were asked for that the mutation check missed. */
  completed: boolean;
  repairs: number;
  disputed: Dispute[];
  /** Tests that were disputed and stand. */
  settled: number[];
  reportErrors: string[];
}

/** A design that may be the result, with what it was made from and what became of its tests. */
export interface DesignCandidate {
  readonly conceptual: ConceptualModel;
  readonly design: LogicalDesign;
  readonly testReport: TestReport | undefined;
  /** Of the preset `tested`: what belongs to this design alone. */
  readonly more?: Pick<DesignArtefacts, 'assumptions' | 'mutationCheck'> | undefined;
}

/** What the review of the conceptual model came to, since the nested chat was last entered. */
export interface ReviewState {
  readonly approved: boolean;
  /** The model with the fewest open errors so far, the latest of several. */
  readonly model: ConceptualModel;
  readonly open: readonly DesignFinding[];
}

/** The shared state of all strategies: plain data that survives a journal. */
export interface DesignState extends ChatState {
  readonly requirement: string;
  readonly parts: readonly string[];
  readonly strategy: StrategyName;
  readonly settings: DesignSettings;
  /** BCP 47; of the report as soon as there is one, where code cannot tell. */
  language: string;
  artefacts: DesignArtefacts;
  /** Clarifications that were put to somebody, by their questions. */
  asked: string[];
  review: ReviewState | null;
  /** The conceptual model that `onPhase` was shown last, as JSON. */
  shownModel: string | null;
  /** The last proposal of the logical designer, and what the tools made of it. */
  observed: { readonly proposal: LogicalProposal; readonly design: LogicalDesign } | null;
  /** How often the logical designer had to complain of a thing. */
  complaints: Record<string, number>;
  /** The report that the test plan was made from, as JSON. */
  plannedFor: string | null;
  /** In the order in which they were made; the last one may still be tested. */
  candidates: DesignCandidate[];
  /** Why the product manager turned the requirement down. */
  refusal: string | null;
  tested: TestedState;
  spent: Spent;
  warnings: string[];
}

/** What a run starts with. */
export interface DesignInput {
  readonly requirement: Requirement;
  readonly strategy: StrategyName;
  readonly settings: DesignSettings;
  readonly artefacts?: DesignArtefacts | undefined;
}

/** The state at the start of a run: with artefacts, behind the last of their phases. */
export function createDesignState({
  requirement,
  strategy,
  settings,
  artefacts: given = {},
}: DesignInput): DesignState {
  const design = given.design === undefined ? undefined : editedDesign(given.design);
  const artefacts = design === undefined ? given : { ...given, design };
  const { report, conceptual, testPlan, testReport, assumptions, mutationCheck } = artefacts;
  const model = conceptual ?? { entitySets: [], relationshipSets: [] };
  return {
    chat: openingChat(requirement.text, strategy, nextPhase(artefacts, settings, requirement.parts.length)),
    requirement: requirement.text,
    parts: requirement.parts,
    strategy,
    settings,
    language: requirement.language,
    artefacts,
    asked: [],
    review: null,
    shownModel: conceptual === undefined ? null : JSON.stringify(conceptual),
    observed: null,
    complaints: {},
    plannedFor: testPlan === undefined ? null : JSON.stringify(report ?? null),
    candidates:
      design === undefined ? [] : [{ conceptual: model, design, testReport, more: { assumptions, mutationCheck } }],
    refusal: null,
    tested: {
      results: [],
      unnoticed: [],
      reviews: 0,
      completed: false,
      repairs: 0,
      disputed: [],
      settled: [],
      reportErrors: [],
    },
    spent: createSpent(),
    warnings: unreadWarnings(requirement, strategy, settings),
  };
}

/** Who has the word when some phases are there already; `undefined`: the first one. `done`: all are there. */
function nextPhase(
  artefacts: DesignArtefacts,
  settings: DesignSettings,
  parts: number,
): SchemaRole | 'done' | undefined {
  if (settings.preset === 'tested') return nextTestedPhase(artefacts, settings, parts);
  const { tests } = settings;
  const { report, conceptual, design, testPlan, testReport } = artefacts;
  if (design !== undefined && (!tests || testReport !== undefined)) return 'done';
  if (design !== undefined) return testPlan === undefined ? 'qa-engineer' : 'test-executor';
  if (conceptual !== undefined) return 'logical-designer';
  return report === undefined ? undefined : 'conceptual-designer';
}

/**
 * In the preset `tested` the product manager speaks only where somebody can be asked, or where the text is too long for
 * one prompt.
 */
function nextTestedPhase(
  { report, design, requirementTests, testReport }: DesignArtefacts,
  { productManager, tests, reviewer, asks }: DesignSettings,
  parts: number,
): SchemaRole | 'done' {
  if (design === undefined)
    return productManager && report === undefined && (asks || parts > 1) ? 'product-manager' : 'logical-designer';
  if (!tests && !reviewer) return 'done';
  if (requirementTests === undefined && tests) return 'qa-engineer';
  return testReport === undefined ? 'test-executor' : 'done';
}

function openingChat(text: string, strategy: StrategyName, next: string | undefined): DesignState['chat'] {
  const chat = startChat(text);
  const messages = chat.messages.map((message) => ({ ...message, chat: strategy }));
  return next === undefined ? { ...chat, messages } : { ...chat, messages, next };
}

/** Only a product manager reads a long requirement in parts. */
function unreadWarnings({ parts }: Requirement, strategy: StrategyName, { productManager }: DesignSettings): string[] {
  if (parts.length === 1 || (strategy === 'schema-agent' && productManager)) return [];
  return [
    `The requirement is longer than \`maxRequirementTokens\`, and without a product manager only its first part of ${parts.length} was read.`,
  ];
}

/** Adds a warning once. */
export function addWarnings(state: DesignState, warnings: readonly string[]): void {
  state.warnings = [...new Set([...state.warnings, ...warnings])];
}
