import type { InspectionRule } from '../rule.ts';
import { ambiguousColumn } from './names/ambiguous-column.ts';
import { unknownColumn } from './names/unknown-column.ts';
import { unknownRelation } from './names/unknown-relation.ts';

/** Names that the database does not have, or has more than once. */
export const NAME_RULES: readonly InspectionRule[] = [unknownRelation, unknownColumn, ambiguousColumn];
