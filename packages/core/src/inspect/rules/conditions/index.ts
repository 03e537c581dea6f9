import type { InspectionRule } from '../../rule.ts';
import { contradiction } from './contradiction.ts';
import { dateFormat } from './date-format.ts';
import { equalsNull } from './equals-null.ts';
import { integerDivision } from './integer-division.ts';
import { likeWithoutWildcard } from './like-without-wildcard.ts';
import { notInNull } from './not-in-null.ts';
import { typeMismatch } from './type-mismatch.ts';

/** What is wrong with conditions and divisions, whatever the question. */
export const CONDITION_RULES: readonly InspectionRule[] = [
  equalsNull,
  contradiction,
  typeMismatch,
  dateFormat,
  notInNull,
  likeWithoutWildcard,
  integerDivision,
];
