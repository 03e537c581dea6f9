export { loadPredictions } from './load-predictions.ts';
export * from './prediction.ts';
export { type ScorePredictionsOptions, scorePredictions } from './score-predictions.ts';
