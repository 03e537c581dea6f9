import type {
  Catalog,
  InspectionRule,
  InspectSqlOptions,
  LanguageModel,
  Severity,
  Solver,
  SqlParser,
  ValueIndex,
} from '@askema/core';

/** What asks a model in the inspect flow; each may have a model of its own. */
export type InspectStage = 'generate' | 'revise' | 'connect';

/** Which tools look at a sequence of actions. Each is a switch, so that its worth can be measured. */
export interface InspectStages {
  /** Looks the values of conditions up in the cells (Tool-SQL, section 2.2.1). */
  readonly retriever: boolean;
  /** Checks the statement against the catalog, without running it (section 2.2.2). */
  readonly detector: boolean;
  /** Asks the database for its plan, when the detector found no error; where an adapter has no planner, this says nothing. */
  readonly planner: boolean;
  /** The database's own errors in the detector's place: the statement is planned, or, where there is no planner, run for one row. */
  readonly engineErrors: boolean;
}

/** Every limit of the flow. */
export interface InspectLimits {
  /** Revisions of a sequence; 0 inspects once and changes nothing. */
  readonly maxInspections: number;
  /** Sub-questions of sub-questions: 1 allows those of the question alone, 0 none. */
  readonly maxDepth: number;
  /** Sub-questions of one sequence that are answered. */
  readonly maxSubQuestions: number;
  /** Turns of a model that calls tools, until its sequence is whole. */
  readonly maxTurns: number;
  /** Findings in one prompt; the most severe come first. */
  readonly maxFindingsShown: number;
  /** The nearest cells of a column, for a value that it does not hold. */
  readonly nearestCells: number;
  /** Columns that hold the value, or one that is near, in the place of the column of the condition. */
  readonly elsewhere: number;
  /** Conditions of one statement whose values are looked up. */
  readonly maxConditions: number;
  /** Milliseconds in which the values of one statement are looked up. */
  readonly retrieverTimeoutMs: number;
}

/** What else can be chosen. */
export interface InspectChoices {
  /** How the model gives its actions: as native tool calls, as structured output, or (`auto`) as tool calls where the model has tools. */
  readonly actions: 'auto' | 'tools' | 'structured';
  /** Findings of at least this severity are sent back to the model; the others are shown beside them. */
  readonly reviseFrom: Severity;
  /** Leaves the columns of conditions whose value was not found out of the schema of the next try (section 2.2.1). Keys stay. */
  readonly hideTriedColumns: boolean;
  /** Other severities of findings, by code. */
  readonly severities: NonNullable<InspectSqlOptions['severities']>;
}

/** Options of the `inspect` flow; what is left out is the default. */
export interface InspectOptions {
  readonly stages?: { readonly [Key in keyof InspectStages]?: InspectStages[Key] | undefined } | undefined;
  readonly limits?: { readonly [Key in keyof InspectLimits]?: InspectLimits[Key] | undefined } | undefined;
  /** Default: `auto`. */
  readonly actions?: InspectChoices['actions'] | undefined;
  /** Default: `warning`. */
  readonly reviseFrom?: Severity | undefined;
  /** Default: true. */
  readonly hideTriedColumns?: boolean | undefined;
  /** Rules of one's own, beside the built-in ones. */
  readonly rules?: readonly InspectionRule[] | undefined;
  readonly severities?: InspectSqlOptions['severities'] | undefined;
  /** A model for a stage; the others use the `model` of `createText2Sql`. A budget given there counts these as well. */
  readonly models?: { readonly [Key in InspectStage]?: LanguageModel | Solver | undefined } | undefined;
}

/** The options with their defaults: plain data, which stands in the state of a run, so that a resumed run keeps it. */
export interface InspectPlan extends InspectChoices {
  readonly stages: InspectStages;
  readonly limits: InspectLimits;
}

/** What the steps of the flow work with, as `deps.inspect`. */
export interface InspectSettings extends InspectPlan {
  /** Of the user. */
  readonly rules: readonly InspectionRule[];
  readonly parser: SqlParser;
  /** Where near cells are looked up: what one look-up of a run has read, the next one knows. */
  readonly cellsOf: (catalog: Catalog) => ValueIndex;
  readonly solverOf: (stage: InspectStage) => Solver;
  /** Undefined where the stage is answered by a solver that is no language model. */
  readonly modelOf: (stage: InspectStage) => LanguageModel | undefined;
}
