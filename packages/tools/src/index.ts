export { type AskedBack, askedBackBy } from './agents/asked-back.ts';
export { type AskemaToolsOptions, askemaTools } from './askema-tools.ts';
export type {
  AskedBackRun,
  ResumeHandles,
  Tool,
  ToolContext,
  ToolDatabase,
  ToolName,
  ToolReply,
  WaitingQuestion,
  WaitingQuestions,
} from './contract.ts';
export { TOOL_NAMES } from './contract.ts';
export type { DesignTools } from './design/design-schema-tool.ts';
export { MAX_STATEMENT_CHARACTERS } from './sql/inspect-statement.ts';
export { type ToolDefinition, toolDefinitions } from './tool-definitions.ts';
