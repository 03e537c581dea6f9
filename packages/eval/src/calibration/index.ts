export { calibrate } from './calibrate.ts';
export type * from './calibration.ts';
