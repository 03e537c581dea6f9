import type { InspectionRule } from '../rule.ts';
import { aggregateInWhere } from './grouping/aggregate-in-where.ts';
import { havingWithoutGroup } from './grouping/having-without-group.ts';
import { missingGroupBy } from './grouping/missing-group-by.ts';
import { needlessGroupBy } from './grouping/needless-group-by.ts';
import { ungroupedColumn } from './grouping/ungrouped-column.ts';

/** Groups and aggregates. */
export const GROUPING_RULES: readonly InspectionRule[] = [
  ungroupedColumn,
  missingGroupBy,
  needlessGroupBy,
  aggregateInWhere,
  havingWithoutGroup,
];
