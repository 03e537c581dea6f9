import { definePackage } from '../../scripts/tsup-package.ts';

const config = definePackage(['src/index.ts', 'src/worker.ts']);

// The reader's program is one file, so that an application can carry it along.
export default { ...config, splitting: false, noExternal: ['@askema/adapter-kit/process'] };
