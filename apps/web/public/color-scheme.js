// Sets the theme before the first paint, so that a dark page never flashes white. A file of its own: the server's
// content policy allows no inline scripts.
if (localStorage.getItem('theme') === 'dark') document.documentElement.dataset.mantineColorScheme = 'dark';
