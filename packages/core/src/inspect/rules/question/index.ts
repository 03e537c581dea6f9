import type { InspectionRule } from '../../rule.ts';
import { columnAsked } from './column-asked.ts';
import { distinctAsked } from './distinct-asked.ts';
import { limitAsked } from './limit-asked.ts';
import { limitWithoutOrder } from './limit-without-order.ts';
import { orderAsked } from './order-asked.ts';

/** What a question asks for and a statement does not give. The cues are English; a question in another language has none. */
export const QUESTION_RULES: readonly InspectionRule[] = [
  orderAsked,
  limitAsked,
  limitWithoutOrder,
  distinctAsked,
  columnAsked,
];
