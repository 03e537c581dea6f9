/**
 * The left side determines the right side: `{ left: ['Student', 'Course'], right: ['Grade'] }`. Names are opaque:
 * commas, blanks and ampersands are part of them. An empty left side says that the right side is constant.
 */
export interface FunctionalDependency {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

/** A relation as the theory sees it: a name, attributes, and the dependencies that hold in it. */
export interface RelationScheme {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly dependencies: readonly FunctionalDependency[];
}
