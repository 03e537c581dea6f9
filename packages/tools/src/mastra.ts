export type { AskedBack } from './agents/asked-back.ts';
export {
  type MastraContext,
  type MastraToolOptions,
  type MastraToolsOptions,
  toMastraTools,
} from './mastra/to-mastra-tools.ts';
