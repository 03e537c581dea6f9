/** Something that the requirement leaves open, or says in two ways. */
export interface Clarification {
  readonly kind: 'ambiguity' | 'contradiction';
  /** What must be decided. */
  readonly question: string;
  /** Sentences of the requirement, word for word; both sides of a contradiction. */
  readonly quotes: readonly string[];
  /** What holds when nobody answers. */
  readonly assumption: string;
  /** What was answered, if anybody did. */
  readonly answer?: string | undefined;
}

/** A kind of thing or record that the requirement wants stored, with the facts of it, in the requirement's own words. */
export interface ReportSubject {
  readonly name: string;
  /** Its own facts; nothing that belongs to another subject, nothing that the requirement does not speak of. */
  readonly attributes: readonly string[];
  readonly description: string;
}

/** The functional requirement report of the product manager: what every role reads. Plain JSON. */
export interface RequirementReport {
  /** BCP 47, of the requirement: `en`, `zh`. The report is written in it. */
  readonly language: string;
  readonly title: string;
  readonly summary: string;
  /** What people must be able to do, one sentence each. */
  readonly functions: readonly string[];
  readonly subjects: readonly ReportSubject[];
  /** How many of one belong to how many of the other, said or implied, both directions: one sentence each. */
  readonly relationships: readonly string[];
  /** What must be present, unique or within limits. */
  readonly rules: readonly string[];
  readonly clarifications: readonly Clarification[];
}
