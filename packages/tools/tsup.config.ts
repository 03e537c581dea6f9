import { definePackage } from '../../scripts/tsup-package.ts';

export default definePackage(['src/index.ts', 'src/ai-sdk.ts', 'src/langchain.ts', 'src/mastra.ts']);
