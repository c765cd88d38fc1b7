import 'uplot/dist/uPlot.min.css';
import './style.css';
import { type ComparisonPage, comparisonPage } from './comparison';
import type { Page } from './data';
import { page } from './page';
import { openNamed } from './section/card';

const data = document.getElementById('report-data')?.textContent;
const root = document.getElementById('report');
if (data && root) {
  const shown = JSON.parse(data) as Page | ComparisonPage;
  root.replaceChildren('kind' in shown ? comparisonPage(shown) : page(shown));
  window.addEventListener('hashchange', openNamed);
  openNamed();
}
