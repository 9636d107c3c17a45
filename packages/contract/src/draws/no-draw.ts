/** What is said where there is no draw of an id: alone here, as the public pages say it without the rest of the calls of draws. */
export const NO_DRAW = 'There is no draw with this id. Compare it with where you got it.';
