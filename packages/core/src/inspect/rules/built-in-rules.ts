import type { InspectionRule } from '../rule.ts';
import { CONDITION_RULES } from './conditions/index.ts';
import { DIALECT_RULES } from './dialect/index.ts';
import { GROUPING_RULES } from './grouping.ts';
import { JOIN_RULES } from './joins.ts';
import { NAME_RULES } from './names.ts';
import { QUESTION_RULES } from './question/index.ts';

/** The rules that `inspectSql` checks when it is given none. `docs/guide/inspection.md` explains each. */
export const BUILT_IN_RULES: readonly InspectionRule[] = [
  ...NAME_RULES,
  ...JOIN_RULES,
  ...GROUPING_RULES,
  ...CONDITION_RULES,
  ...QUESTION_RULES,
  ...DIALECT_RULES,
];
