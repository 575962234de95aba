/** The stylesheet of the documentation page: system fonts, light and dark as the reader's system is. */
export const documentationStyle = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2430, #e3e8ef);
  --quiet: light-dark(#566072, #9aa5b6);
  --ground: light-dark(#ffffff, #14181f);
  --panel: light-dark(#f4f6f9, #1c222c);
  --line: light-dark(#d8dee7, #333c4a);
  --link: light-dark(#0b57b0, #7db4ff);
  --read: light-dark(#0b6b3a, #6bd39b);
  --write: light-dark(#8a4b00, #f0b568);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0;
  display: grid;
  grid-template-columns: 19rem minmax(0, 1fr);
  color: var(--ink);
  background: var(--ground);
  font: 1rem/1.5 system-ui, sans-serif;
}
nav {
  position: sticky;
  top: 0;
  height: 100vh;
  overflow-y: auto;
  padding: 1rem;
  border-right: 1px solid var(--line);
  background: var(--panel);
  font-size: 0.875rem;
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul > li { margin-top: 0.75rem; }
nav summary, nav > ul > li > a { font-weight: 600; }
nav li a, nav summary { display: inline-block; min-height: 24px; }
nav [aria-current] { text-decoration: underline; }
nav [hidden] { display: none; }
nav input { width: 100%; min-height: 48px; margin: 0.5rem 0; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem; background: var(--ground); }
input, textarea, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 0.25rem; padding: 0.5rem; }
textarea { width: 100%; min-height: 8rem; font-family: ui-monospace, monospace; font-size: 0.875em; }
button { min-height: 48px; min-width: 48px; padding-inline: 1rem; background: var(--panel); cursor: pointer; font-weight: 600; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.try { margin-top: 0.75rem; }
.try label { display: block; margin: 0.5rem 0; }
.try label input { display: block; width: min(24rem, 100%); min-height: 48px; }
.try output { display: block; margin-top: 0.75rem; }
.try pre { max-height: 30rem; overflow: auto; }
nav ul ul { padding-left: 0.75rem; }
main { padding: 1rem 2rem 4rem; max-width: 72rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible, main p a, main td a { text-decoration: underline; }
h1 small { color: var(--quiet); font-weight: 400; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
article h2 { margin: 0; border: 0; font-size: 1.17rem; }
h2 a { color: inherit; }
h3 { margin: 1rem 0 0.25rem; font-size: 1rem; }
article { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
article:target { border-color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.75rem; border-radius: 0.375rem; background: var(--panel); }
em { font-style: normal; font-size: 0.75rem; font-weight: 400; color: var(--quiet); }
em.extension { padding: 0 0.375rem; border: 1px solid var(--line); border-radius: 1rem; }
.call { margin: 0.25rem 0; }
.call b { color: var(--write); }
.call b.get { color: var(--read); }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child { width: 40%; }
td:first-child { white-space: nowrap; }
td b { color: var(--write); }
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--link); }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; }
  table { display: block; overflow-x: auto; }
}
@media print {
  body { display: block; }
  nav { display: none; }
}
`;
