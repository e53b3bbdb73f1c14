import fc from "fast-check";

/**
 * Random tests play the same cases at every `npm test`, so that a failure is of the change at hand. `npm run test:long` sets
 * another seed each day, and prints it; a failure says with which one it is repeated.
 */
export const RANDOM_SEED = Number(process.env.RANDOM_SEED ?? 1);

fc.configureGlobal({ seed: RANDOM_SEED });

export { fc };
