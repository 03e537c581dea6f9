import { beginConversation, branchConversation, showConversation, undoTurn } from './conversations/conversations.ts';
import { answerTurn, editStatement, sayMessage } from './conversations/messages.ts';
import { searchCatalog, showCatalog } from './databases/catalog.ts';
import { listKnowledge, proposeKnowledge } from './databases/knowledge.ts';
import { listDatabases } from './databases/list-databases.ts';
import { findValues } from './databases/values.ts';
import { answerDesign, cancelDesign, designSchema, resumeDesign, showDesign } from './designs/designs.ts';
import { listEvaluations, showEvaluation, showItems } from './evaluations/evaluations.ts';
import { ask } from './questions/ask.ts';
import { answerRun, cancelRun, resumeRun, showRun } from './questions/runs.ts';
import { drawChart } from './results/chart.ts';
import { showHistory } from './results/history.ts';
import type { Route } from './route.ts';
import { health } from './server/health.ts';
import { showMetrics } from './server/metrics.ts';
import { showOpenApi } from './server/openapi.ts';
import { checkSql } from './sql/check-sql.ts';
import { runSql } from './sql/run-sql.ts';

/** All routes of the server. */
export const ROUTES: readonly Route[] = [
  ...[ask, showRun, answerRun, resumeRun, cancelRun],
  ...[beginConversation, showConversation, sayMessage, answerTurn, editStatement, undoTurn, branchConversation],
  ...[runSql, checkSql],
  ...[listDatabases, showCatalog, searchCatalog, findValues, listKnowledge, proposeKnowledge],
  ...[designSchema, showDesign, answerDesign, resumeDesign, cancelDesign],
  ...[listEvaluations, showEvaluation, showItems],
  ...[drawChart, showHistory],
  ...[health, showMetrics, showOpenApi],
];
