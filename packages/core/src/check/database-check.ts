import type { Decomposition, NormalFormName, NormalFormVerdict } from '../normal-form/decomposition.ts';
import type { RelationId } from '../schema/schema.ts';
import type { CheckFinding, SuspectedDependency } from './check-finding.ts';
import type { ReadRows } from './read-rows.ts';

/** What a look at a live database found. */
export interface DatabaseCheck {
  /** In the order of the catalog; views are left out. */
  readonly tables: readonly TableCheck[];
  /** What could not be looked at, and why, so that silence is not taken for health. */
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
   * The normal form that the declared keys allow: BCNF, as nothing else is declared that could break it; undefined without a key. It says that the
   * catalog holds nothing against it, no more.
   */
  readonly form: NormalFormName | undefined;
  readonly rowCount?: number | undefined;
  readonly rowCountExact?: boolean | undefined;
  readonly findings: readonly CheckFinding[];
  /** Undefined where rows were not looked at. */
  readonly rows?: RowCheck | undefined;
}

/** What the rows of a table say. */
export interface RowCheck extends Pick<ReadRows, 'whole' | 'cut' | 'leftOut'> {
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
