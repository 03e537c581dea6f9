import type { ChatMessage, Schema, SerializedError, Usage } from '@askema/core';
import type { Clarification, ConceptualModel, RequirementReport } from './conceptual-model.ts';
import type { LogicalDesign } from './logical-design.ts';
import type { MutationCheck, RequirementTest, TestPlace } from './requirement-test.ts';
import type { TestPlan, TestReport } from './test-plan.ts';

/**
 * The strategies on one interface: SchemaAgent, what the paper measures it against (section 5.4: `one-shot`,
 * `chain-of-thought`, `few-shot`), and what has all that the roles know in one prompt (`guided`) or in one agent with
 * their tools (`single-agent`).
 */
export const STRATEGY_NAMES = [
  'schema-agent',
  'one-shot',
  'chain-of-thought',
  'few-shot',
  'guided',
  'single-agent',
] as const;

/** A strategy of {@link STRATEGY_NAMES}. */
export type StrategyName = (typeof STRATEGY_NAMES)[number];

/**
 * How the roles of `schema-agent` work. `tested`: a draft, tests from the requirement alone, counter-examples, repair.
 * `paper`: the six roles in the order of SchemaAgent (section 4.2).
 */
export const PRESET_NAMES = ['tested', 'paper'] as const;

/** A preset of {@link PRESET_NAMES}. */
export type PresetName = (typeof PRESET_NAMES)[number];

/**
 * What the phases made, as far as they came. Plain JSON; each part can be edited and the rest done again from there.
 */
export interface DesignArtefacts {
  readonly report?: RequirementReport | undefined;
  readonly conceptual?: ConceptualModel | undefined;
  /** For baselines: their schema with what the tools say of it. */
  readonly design?: LogicalDesign | undefined;
  /** What the draft takes for granted: of the preset `tested`. */
  readonly assumptions?: readonly string[] | undefined;
  readonly testPlan?: TestPlan | undefined;
  /** Tests that know no design: of the preset `tested`. */
  readonly requirementTests?: readonly RequirementTest[] | undefined;
  /** Where things and facts of these tests stand, where names do not tell. */
  readonly testPlaces?: readonly TestPlace[] | undefined;
  readonly testReport?: TestReport | undefined;
  /** What the tests are worth. */
  readonly mutationCheck?: MutationCheck | undefined;
}

/** What every outcome carries. */
export interface DesignOutcomeBase {
  readonly requirement: string;
  readonly runId: string;
  readonly strategy: StrategyName;
  /** Of `schema-agent`; an outcome that was stored without one is of `paper`. */
  readonly preset?: PresetName | undefined;
  /** BCP 47, of the requirement. */
  readonly language: string;
  readonly artefacts: DesignArtefacts;
  /** What the design takes for granted where the requirement is vague and nobody answered. */
  readonly assumptions: readonly string[];
  /** Everything that was said, in order; the user's requirement is the first message. */
  readonly transcript: readonly ChatMessage[];
  /** Rounds of the outer chat; 0 for baselines. */
  readonly rounds: number;
  readonly usage: Usage;
  /** Model calls. */
  readonly calls: number;
  readonly elapsedMs: number;
  /** Who answered: `openai:gpt-…`; several where roles have models of their own. */
  readonly solvedBy: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * How a design ended; `type` decides which fields are there.
 * - `designed`: `schema` is the 5-tuple. `accepted`: the last role said `TERMINAL`; otherwise the rounds ended, and it
 *   is the best so far.
 * - `needsClarification`: `questions` wait for an answer (`resume`).
 * - `refused`: the text is not about data to be stored, or the model refused.
 * - the others as in core's `Outcome`; what was made until then stands in `artefacts`.
 */
export type DesignOutcome = DesignOutcomeBase &
  (
    | { readonly type: 'designed'; readonly schema: Schema; readonly accepted: boolean }
    | { readonly type: 'needsClarification'; readonly questions: readonly Clarification[] }
    | { readonly type: 'refused'; readonly reason: string }
    | { readonly type: 'budgetExceeded'; readonly schema?: Schema | undefined; readonly error: SerializedError }
    | { readonly type: 'cancelled'; readonly schema?: Schema | undefined; readonly error: SerializedError }
    | { readonly type: 'failed'; readonly schema?: Schema | undefined; readonly error: SerializedError }
  );
