/** Separate file: public pages don't bundle draw routes. */
export const NO_DRAW = 'There is no draw with this id. Compare it with where you got it.';
