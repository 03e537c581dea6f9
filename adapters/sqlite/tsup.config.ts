import { definePackage } from '../../scripts/tsup-package.ts';

const config = definePackage(['src/index.ts', 'src/start.ts', 'src/worker.ts']);

// The worker's program is one file, so that an application can carry it along: what it shares with others is part of it.
export default { ...config, splitting: false, noExternal: ['@askema/adapter-kit/process'] };
