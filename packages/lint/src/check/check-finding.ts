import type { AttributeId, RelationId, Severity, Value } from '@askema/core';
import type { Decomposition, NormalFormName, NormalFormVerdict } from '@askema/normal-form';

/** What a look at a live database can find. `docs/guide/check.md` explains each. */
const CHECK_CODES = [
  // The catalog: keys
  'relation-without-key',
  'key-part-nullable',
  'key-holds-key',
  'key-holds-surrogate',
  // The catalog: foreign keys
  'foreign-key-without-target',
  'foreign-key-to-no-key',
  'foreign-key-type-mismatch',
  'foreign-key-repeated',
  'reference-undeclared',
  'relation-isolated',
  // The rows
  'rows-without-target',
  'key-part-null',
  'key-repeated',
  'key-suspected',
  'dependency-suspected',
] as const;

export type CheckCode = (typeof CHECK_CODES)[number];

/** One cell of a row that is shown as evidence. */
export interface EvidenceCell {
  readonly attribute: string;
  readonly value: Value;
}

/**
 * A functional dependency that holds in the rows that were read, or nearly. A suspect: only who knows the subject can
 * say whether it is a rule.
 */
export interface SuspectedDependency {
  readonly left: readonly string[];
  readonly right: string;
  /** Share of `rows` that must go so that it holds; 0 where it is exact in what was read. */
  readonly g3: number;
  readonly violations: number;
  /** Rows that were read and have no NULL on the left. */
  readonly rows: number;
  readonly distinctLeft: number;
  /** Rows that would be expected to break it by accident; see `DiscoveredDependency` of `discoverDependencies`. */
  readonly expectedViolations: number;
  /** A row that disagrees with most others of its left side, and one of those: key, left side and right side. */
  readonly counterExample?:
    | {
        readonly row: readonly EvidenceCell[];
        readonly usual: readonly EvidenceCell[];
        /** Rows of the left side that have the usual value. */
        readonly usualCount: number;
      }
    | undefined;
}

/** How the values of a reference, declared or not, are found in what it refers to. */
export interface Inclusion {
  /** Rows that were read, and those of them without a NULL in the reference. */
  readonly rows: number;
  readonly filled: number;
  /** Rows whose values are not there. */
  readonly missing: number;
  /** Different values (of one attribute), and those that are not there. */
  readonly distinct?: number | undefined;
  readonly distinctMissing?: number | undefined;
  /** Some rows whose values are not there: key and reference. */
  readonly examples: readonly (readonly EvidenceCell[])[];
  /** False where the relation has more rows than were read. */
  readonly whole: boolean;
}

/** One thing that speaks against a schema, or that is worth a look. */
export interface CheckFinding {
  readonly code: CheckCode;
  /**
   * `error`: a constraint that is declared does not hold, or cannot. `warning`: usually a mistake. `note`: worth a
   * look.
   */
  readonly severity: Severity;
  readonly relation: RelationId;
  readonly attributes: readonly AttributeId[];
  /** What it refers to, of foreign keys and references; undefined where that does not exist. */
  readonly target?: { readonly relation: RelationId; readonly attributes: readonly AttributeId[] } | undefined;
  readonly message: string;
  readonly advice: string;
  /** Of `dependency-suspected`: one for each right side. */
  readonly suspects?: readonly SuspectedDependency[] | undefined;
  readonly inclusion?: Inclusion | undefined;
  /** Rows that show it. */
  readonly rows?: readonly (readonly EvidenceCell[])[] | undefined;
}

/** What a look at a live database found. */
export interface DatabaseCheck {
  /** In the order of the catalog; views are left out. */
  readonly tables: readonly TableCheck[];
  /** What could not be checked, and why: no finding about it does not mean that it is correct. */
  readonly unread: readonly { readonly subject: string; readonly reason: string }[];
  /** Views, which have neither keys nor rows of their own. */
  readonly views: number;
}

export interface TableCheck {
  readonly relation: RelationId;
  /** With the schema in front where the engine has schemas. */
  readonly name: string;
  /** Declared keys whose attributes cannot be NULL, the primary key first. */
  readonly keys: readonly (readonly string[])[];
  /**
   * The normal form that the declared keys allow: BCNF, as nothing else is declared that could break it; undefined
   * without a key. It says that the catalog holds nothing against it, no more.
   */
  readonly form: NormalFormName | undefined;
  readonly rowCount?: number | undefined;
  readonly rowCountExact?: boolean | undefined;
  readonly findings: readonly CheckFinding[];
  /** Undefined where rows were not looked at. */
  readonly rows?: RowCheck | undefined;
}

/** What the rows of a table say. */
export interface RowCheck {
  /** False where the table has more: those that the engine gave first speak for all. */
  readonly whole: boolean;
  readonly cut?: 'rows' | 'bytes' | undefined;
  /** Attributes that were not read, and why. */
  readonly leftOut: readonly {
    readonly attribute: string;
    readonly reason: 'too many attributes' | 'not comparable';
  }[];
  /** Rows that were read. */
  readonly count: number;
  readonly attributes: readonly string[];
  /** False where time ran out: then only the first of the left sides were looked at, single attributes before pairs. */
  readonly complete: boolean;
  readonly lookedAt: number;
  readonly candidates: number;
  readonly suspects: readonly SuspectedDependency[];
  /** Dependencies that hold as well, but follow from the suspects. */
  readonly following: number;
  /** Dependencies that are too many to be sorted out; 0 but for odd tables. */
  readonly further: number;
  /** Of a table without a key: attributes and pairs that are unique in the rows. */
  readonly uniqueSets: readonly (readonly string[])[];
  /** What it would mean if every suspect were a rule; undefined without suspects. */
  readonly ifRules?: IfRules | undefined;
  readonly elapsedMs: number;
}

/** What suspects would mean as rules. */
export interface IfRules {
  readonly verdict: NormalFormVerdict;
  /** Keys that were taken for granted; of a table without a declared one, what is unique in the rows. */
  readonly key: readonly string[];
  readonly isKeyDeclared: boolean;
  /** In third normal form; undefined where the table is in it already. */
  readonly decomposition?: Decomposition | undefined;
}
