/** In a file of its own, so the public pages need not bundle the draw routes. */
export const NO_DRAW = 'There is no draw with this id. Compare it with where you got it.';
