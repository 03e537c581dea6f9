import type { InspectionRule } from '../rule.ts';
import { aggregateOverFanOut } from './joins/aggregate-over-fan-out.ts';
import { joinOffKey } from './joins/join-off-key.ts';
import { joinTypeMismatch } from './joins/join-type-mismatch.ts';
import { joinWithoutCondition } from './joins/join-without-condition.ts';
import { missingJoin } from './joins/missing-join.ts';
import { redundantJoin } from './joins/redundant-join.ts';
import { repeatedRows } from './joins/repeated-rows.ts';

/** How the relations of a statement are joined. */
export const JOIN_RULES: readonly InspectionRule[] = [
  joinWithoutCondition,
  joinOffKey,
  missingJoin,
  joinTypeMismatch,
  redundantJoin,
  repeatedRows,
  aggregateOverFanOut,
];
