export type { AgentToolsOptions } from './agents/agent-options.ts';
export { type AiSdkTool, type AiSdkToolOutput, toAiSdkTools } from './ai-sdk/to-ai-sdk-tools.ts';
