/**
 * The presets of {@link RefineOptions}: `askema` is ours; `paper` follows ReFoRCE's text, `v5` its authors' last code.
 */
export type RefinePreset = 'askema' | 'paper' | 'v5';

/** What asks a model in the refine flow; each may have a model of its own. */
export type RefineStage = 'format' | 'explore' | 'generate' | 'review' | 'cte' | 'choose';

/** Which stages run. Each is a switch, so that its worth can be measured. */
export interface RefineStages {
  /** Fixes the expected answer format before anything is written (section 3.2.2). */
  readonly format: boolean;
  /** A model names relevant columns and writes probes (section 3.2.3). */
  readonly exploration: boolean;
  /** Profiles of relevant columns and keys, taken without a model. */
  readonly profile: boolean;
  /** An answer counts when it came `agreements` times, as `review` says; else the first that runs and is plausible. */
  readonly consistency: boolean;
  /** Inspects each statement before it runs, as `inspection` says. */
  readonly inspection: boolean;
  /** CTE by CTE, in a thread that found no answer. `only`: in place of self-refinement. */
  readonly cte: boolean | 'only';
  /** A model that sees the candidates settles what the vote cannot. */
  readonly choose: boolean;
}

/** Every limit of the flow. */
export interface RefineLimits {
  /** Independent runs of exploration and refinement (section 3.2.5). */
  readonly threads: number;
  /** Threads at a time. */
  readonly concurrency: number;
  /** Statements that one thread writes and executes (Algorithm 2). */
  readonly maxIterations: number;
  /** So many empty results in a row end a thread without an answer. */
  readonly maxEmptyInARow: number;
  /** So often an answer has to come before it counts. */
  readonly agreements: number;
  /** Rewrites of one CTE. */
  readonly maxCteRewrites: number;
  /**
   * Model calls of the CTE stage in one thread: one writes, one judges each step, one mends where an error shows the
   * fault.
   */
  readonly maxCteCalls: number;
  /** So often a thread may ask for descriptions that a compressed schema left out. */
  readonly maxExpansions: number;
  /** `sure` is a confidence of at least this. */
  readonly sureFrom: number;
}

/** The rules that presets decide differently. */
export interface RefineRules {
  /**
   * Whether an empty result, or one of only zeros and empty strings, may be the answer: never, or when a check
   * confirmed it.
   */
  readonly implausible: 'never' | 'confirmed';
  /**
   * Which plausible results a model reviews: each; or only where something speaks against one (a fact against it, a
   * finding of inspection), or where no other thread can confirm it. A result that nothing speaks against ends its
   * thread, and the other threads confirm it.
   */
  readonly review: 'always' | 'doubted';
  /**
   * True: a column that holds nothing but 0, NULL and empty texts makes a result implausible, as in the paper (section
   * 3.2.4). False: only a result that holds nothing else; such a column is a fact for the review.
   */
  readonly blankColumns: boolean;
  /** Helpful columns that the question did not ask for (the paper adds them). */
  readonly extraColumns: boolean;
  /**
   * How the expected format binds. `csv`: as the head of a CSV file, whose names and order every result is held
   * against (section 3.2.2). `open`: by number and meaning of the columns; a thread may depart from it for a reason.
   */
  readonly format: 'open' | 'csv';
  /** How results are compared in threads and in the vote. */
  readonly agreement: 'strict' | 'official';
  /** Gives each thread another way to go about the question; without it, threads differ by their samples alone. */
  readonly perspectives: boolean;
  /**
   * Makes each thread one chat, as the session of the paper is (sections 3.2.2 to 3.2.4): its first prompt is whole, each
   * later one that writes or reviews goes on behind the earlier prompts and replies, and says only what is new.
   * Exploration and the CTE stage ask by themselves.
   */
  readonly conversation: boolean;
  /**
   * Begins with as many threads as can decide between themselves (two of three), the others, so many at a time as run
   * at a time, only as long as the decision is open.
   */
  readonly earlyEnd: boolean;
}

/**
 * A preset with what differs from it: plain data, which stands in the slice of a run, so that a resumed run keeps it.
 */
export interface RefinePlan {
  readonly preset: RefinePreset;
  readonly stages: RefineStages;
  readonly limits: RefineLimits;
  readonly rules: RefineRules;
}
