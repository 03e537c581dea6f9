export type { AgentToolsOptions } from './agents/agent-options.ts';
export type { AskedBack } from './agents/asked-back.ts';
export { type LangChainTool, type LangChainToolsOptions, toLangChainTools } from './langchain/to-langchain-tools.ts';
