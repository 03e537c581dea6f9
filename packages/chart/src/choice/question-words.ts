/** What words of a question ask of a picture. Rules by types come first; words decide among what is right. */
export interface QuestionWords {
  /** Parts of a whole. */
  readonly share: boolean;
  readonly distribution: boolean;
  readonly relation: boolean;
  readonly top: boolean;
}

export function questionWords(question: string | undefined): QuestionWords {
  const text = (question ?? '').slice(0, 2_000);
  const has = (pattern: RegExp): boolean => pattern.test(text);
  return {
    share: has(/\b(?:shares?|proportions?|percentages?|split|breakdown|composition|parts? of|made up)\b/i),
    distribution: has(/\b(?:distribut(?:ion|ed)|histogram|spread|frequenc(?:y|ies)|how often)\b/i),
    relation: has(/\b(?:correlat\w*|relationship|versus|vs\.?|against|depends?|related)\b/i),
    top: has(/\b(?:top|bottom|most|least|highest|lowest|largest|smallest|best|worst|rank(?:ed|ing)?)\b/i),
  };
}
