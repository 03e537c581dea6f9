/** Why one side cannot say what the other says, as a clause. */
export class Unsayable extends Error {}

/** What `make` gives, or why it gives nothing. */
export function attempt<T>(make: () => T): T | Unsayable {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof Unsayable) return thrown;
    throw thrown;
  }
}
