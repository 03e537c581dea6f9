import * as z from 'zod';

/**
 * What a schema is asked: a fact that it must be able to store, something that must be possible (`event`), or a state
 * that it must refuse (`refusal`).
 */
export const EXPECTATION_KINDS = ['fact', 'event', 'refusal'] as const;

/** A kind of {@link EXPECTATION_KINDS}. */
export type ExpectationKind = (typeof EXPECTATION_KINDS)[number];

/** `said`: the words of the requirement say it. `implied`: any such business has it. */
export const CERTAINTIES = ['said', 'implied'] as const;

/** A certainty of {@link CERTAINTIES}. */
export type Certainty = (typeof CERTAINTIES)[number];

/**
 * What became of an expectation in a design. `stated`: the schema does not hold it, but an assumption that the design
 * states settles this very point.
 */
export const EXPECTATION_VERDICTS = ['holds', 'stated', 'fails'] as const;

/** A verdict of {@link EXPECTATION_VERDICTS}. */
export type ExpectationVerdict = (typeof EXPECTATION_VERDICTS)[number];

const head = {
  schemaVersion: z.literal(1),
  id: z.string().min(1),
  requirement: z.string(),
  /** Who answered: `provider:model`. */
  model: z.string(),
  calls: z.number(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
};

const marks = {
  /** From 1 within a requirement. */
  number: z.number().int().min(1),
  kind: z.enum(EXPECTATION_KINDS),
  certainty: z.enum(CERTAINTIES),
  /** One sentence. */
  says: z.string(),
};

const expectation = z.object({
  ...marks,
  /** The words of the requirement that it comes from; empty for what is implied by the business. */
  quote: z.string(),
});

/** Something that can be decided by reading a schema; written from the requirement alone. */
export type Expectation = Readonly<z.infer<typeof expectation>>;

/** A line of the file of `listExpectations`. */
export const expectationsLine = z.object({
  ...head,
  /** SHA-256 of the requirement, in hexadecimal. */
  requirementHash: z.string(),
  expectations: z.array(expectation),
});

/** The expectations of one requirement. */
export type ExpectationsLine = Readonly<z.infer<typeof expectationsLine>>;

const judgedDesign = z.object({
  verdict: z.enum(EXPECTATION_VERDICTS),
  /** Of `fails`. */
  reason: z.string().optional(),
});

/** A line of the file of `judgeExpectations`. */
export const verdictsLine = z.object({
  ...head,
  seed: z.number(),
  /** SHA-256 of all that the judge was shown: another design or another expectation is judged anew. */
  shownHash: z.string(),
  /** The designs in the order in which they stood as A, B, C. */
  order: z.array(z.string()),
  expectations: z.array(z.object({ ...marks, designs: z.record(z.string(), judgedDesign) })),
});

/** What a judge said of all expectations of one requirement and of all designs. */
export type VerdictsLine = Readonly<z.infer<typeof verdictsLine>>;
