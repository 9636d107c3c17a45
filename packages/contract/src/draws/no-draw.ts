/** Separate file: public pages don't bundle draw routes. */
export const NO_DRAW = 'No draw has this id. Check that you copied it completely.';
