export type { ActionProblem } from './action-problem.ts';
export {
  CLAUSE_TOOLS,
  type ClauseActionInput,
  type ClauseActionsOutput,
  clauseActionsOutput,
} from './action-schemas.ts';
export { type ActionsOfQuery, actionsOfQuery } from './actions-of-shape.ts';
export { type AssembledSql, type AssembleOptions, actionAt, assembleSql } from './assemble-sql.ts';
export * from './clause-action.ts';
export { type ClauseConditions, conditionTrees } from './condition-tree.ts';
export { describeAction } from './describe-action.ts';
export { type ActionCall, type ParsedActions, parseActions } from './parse-actions.ts';
export { type ParsedConditionTree, parseConditionTree } from './parse-condition-tree.ts';
export type { ActionSpan } from './sql-piece.ts';
