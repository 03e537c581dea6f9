import type {
  AdapterSpec,
  Budget,
  BudgetOptions,
  EventSink,
  Journal,
  LanguageModel,
  Runtime,
  Solver,
} from '@askema/core';
import type { Clarification } from './model/conceptual-model.ts';
import type { DesignArtefacts, DesignOutcome, PresetName, StrategyName } from './model/design-outcome.ts';
import type { SchemaRole } from './model/role-id.ts';

/** Parts of SchemaAgent that can be left out, to measure what they are worth (SchemaAgent, section 6.2). */
export interface SchemaAgentSwitches {
  /** Without it the designers read the requirement itself. */
  readonly productManager?: boolean | undefined;
  readonly reviewer?: boolean | undefined;
  /** The QA engineer and the test executor. */
  readonly tests?: boolean | undefined;
  /** Feedback outside of the nested chat: every role hands its work forward. */
  readonly errorRoutes?: boolean | undefined;
  /** Mistakes planted into the design, to see which of them the tests notice. Only in the preset `tested`. */
  readonly mutationCheck?: boolean | undefined;
}

/** Answers to clarifications, in their order; undefined where the stated assumption shall hold. */
export type OnQuestion = (
  questions: readonly Clarification[],
  context: { readonly signal: AbortSignal | undefined },
) => Promise<readonly (string | undefined)[] | undefined>;

/**
 * The phases after which a person may look, edit and go on: `conceptual` in the preset `paper` alone, `requirement-tests`
 * (tests that have not run yet) in `tested` alone.
 */
export type DesignPhase = 'report' | 'conceptual' | 'logical' | 'requirement-tests' | 'tests';

/** What {@link Text2Schema} works with. */
export interface Text2SchemaOptions {
  /** A language model, or any solver of the tasks `text2schema.*`. */
  readonly model: LanguageModel | Solver;
  /** A model for a role. */
  readonly models?: Readonly<Partial<Record<SchemaRole, LanguageModel | Solver>>> | undefined;
  /** Default: `schema-agent`. */
  readonly strategy?: StrategyName | undefined;
  /**
   * How the roles of `schema-agent` work: `tested` (a draft, tests from the requirement alone, counter-examples, repair)
   * or `paper` (the order of SchemaAgent, section 4.2). Default: `tested`.
   */
  readonly preset?: PresetName | undefined;
  /**
   * An empty database, opened for writing, in which the tests run; called once for each test run, and closed after it.
   * Without it they run in memory (`tested`), or the test executor judges by reading alone, and a warning says so
   * (`paper`).
   */
  readonly scratch?: (() => AdapterSpec | Promise<AdapterSpec>) | undefined;
  readonly switches?: SchemaAgentSwitches | undefined;
  /**
   * Rounds of the outer chat: turns of its members, a nested chat counting as one. Default: 15 (SchemaAgent, section
   * 5.2).
   */
  readonly maxRounds?: number | undefined;
  /** Rounds of the nested chat of the conceptual designer and reviewer. Default: 6. */
  readonly maxInnerRounds?: number | undefined;
  /** Answers of a role until one can be read. Default: 3 (SchemaAgent, section 5.2). */
  readonly maxAttempts?: number | undefined;
  /**
   * Who decides in the preset `paper` who speaks next where no speaker was named: the forward order, or a model (section
   * 4.2). Default: `forward`.
   */
  readonly administrator?: 'forward' | LanguageModel | Solver | undefined;
  /** Default: 1.0 (SchemaAgent, section 5.2). Models that take none ignore it, with a warning. */
  readonly temperature?: number | undefined;
  /** Default: 1.0 (SchemaAgent, section 5.2). */
  readonly topP?: number | undefined;
  /**
   * In the preset `paper`: puts constraints that the requirement states (not null, unique) into D; else D is as the paper
   * has it, on primary keys alone. In `tested` D always has them. Default: false.
   */
  readonly explicitConstraints?: boolean | undefined;
  /**
   * Asked about contradictions and ambiguities. Without it, or without an answer, the assumption holds and stands in
   * the report.
   */
  readonly onQuestion?: OnQuestion | undefined;
  /**
   * Ends with `needsClarification` where a contradiction is found and `onQuestion` is missing. Without a `journal` the
   * run is remembered as long as this object lives. Default: false.
   */
  readonly stopOnContradiction?: boolean | undefined;
  /** Shown what a phase made; what it returns takes its place. */
  readonly onPhase?:
    | ((phase: DesignPhase, artefacts: DesignArtefacts) => Promise<DesignArtefacts | undefined>)
    | undefined;
  /**
   * Tokens of requirement text in one prompt; a longer one is read in parts, each of which is covered. Default: 12,000.
   */
  readonly maxRequirementTokens?: number | undefined;
  /** Default: core's `countTokensRoughly`. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** What a design may cost. Only with a language model. */
  readonly budget?: BudgetOptions | Budget | undefined;
  /** Where runs are recorded, so that they can be resumed. Default: nowhere. */
  readonly journal?: Journal | undefined;
  readonly onEvent?: EventSink | undefined;
  readonly runtime?: Partial<Runtime> | undefined;
}

/** Options of one design. */
export interface DesignOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: a random one. An id that the journal already holds is resumed. */
  readonly runId?: string | undefined;
  /** Phases that are there already, edited or not: the design goes on behind the last of them. */
  readonly artefacts?: DesignArtefacts | undefined;
  readonly onEvent?: EventSink | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** Designs schemas from requirements. */
export interface Text2Schema {
  /**
   * Never rejects for what an outcome can say.
   *
   * @throws AskemaError `INPUT_INVALID` for a requirement without words, or with what is no text; for artefacts where
   * the strategy has no phases; for a run id that the journal holds with another requirement or other artefacts.
   */
  design(requirement: string, options?: DesignOptions): Promise<DesignOutcome>;
  /**
   * Goes on with a run of the journal: after a crash, or with answers to its questions, in their order.
   *
   * @throws AskemaError `CONFIG_INVALID` without a journal, `INPUT_INVALID` for a run that it does not hold,
   * `JOURNAL_INVALID` where it cannot be read.
   */
  resume(
    runId: string,
    options?: Pick<DesignOptions, 'signal' | 'onEvent'> & { readonly answers?: readonly (string | undefined)[] },
  ): Promise<DesignOutcome>;
}
