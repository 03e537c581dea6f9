import { contradiction } from './conditions/contradiction.ts';
import { dateFormat } from './conditions/date-format.ts';
import { integerDivision } from './conditions/integer-division.ts';
import { likeWithoutWildcard } from './conditions/like-without-wildcard.ts';
import { equalsNull, notInNull } from './conditions/null-comparisons.ts';
import { typeMismatch } from './conditions/type-mismatch.ts';
import { dialectFunction, dialectSyntax } from './dialect.ts';
import { aggregateInWhere, havingWithoutGroup, missingGroupBy, needlessGroupBy } from './grouping.ts';
import { aggregateOverFanOut, repeatedRows } from './joins/fan-out.ts';
import { joinOffKey } from './joins/join-off-key.ts';
import { joinTypeMismatch } from './joins/join-type-mismatch.ts';
import { joinWithoutCondition } from './joins/join-without-condition.ts';
import { missingJoin } from './joins/missing-join.ts';
import { redundantJoin } from './joins/redundant-join.ts';
import { ambiguousColumn } from './names/ambiguous-column.ts';
import { unknownColumn, unknownRelation } from './names/unknown-names.ts';
import { columnAsked } from './question/column-asked.ts';
import { distinctAsked } from './question/distinct-asked.ts';
import { limitAsked, limitWithoutOrder, orderAsked } from './question/order-and-limit.ts';
import type { InspectionRule } from './rule.ts';
import { ungroupedColumn } from './ungrouped-column.ts';

/** The rules that `inspectSql` checks when it is given none. `docs/guide/inspection.md` explains each. */
export const BUILT_IN_RULES: readonly InspectionRule[] = [
  // Names that the database does not have, or has more than once.
  unknownRelation,
  unknownColumn,
  ambiguousColumn,
  // How the relations of a statement are joined.
  joinWithoutCondition,
  joinOffKey,
  missingJoin,
  joinTypeMismatch,
  redundantJoin,
  repeatedRows,
  aggregateOverFanOut,
  // Groups and aggregates.
  ungroupedColumn,
  missingGroupBy,
  needlessGroupBy,
  aggregateInWhere,
  havingWithoutGroup,
  // Conditions and divisions that are wrong whatever the question is.
  equalsNull,
  contradiction,
  typeMismatch,
  dateFormat,
  notInNull,
  likeWithoutWildcard,
  integerDivision,
  // What the question asks for and the statement does not give. The cues are English: questions in other languages have
  // none.
  orderAsked,
  limitAsked,
  limitWithoutOrder,
  distinctAsked,
  columnAsked,
  // What the dialect of the statement does not have.
  dialectFunction,
  dialectSyntax,
];
