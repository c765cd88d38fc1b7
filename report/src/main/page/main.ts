import 'uplot/dist/uPlot.min.css';
import './style.css';
import type { Page } from './data';
import { page } from './page';

const data = document.getElementById('report-data')?.textContent;
const root = document.getElementById('report');
if (data && root) {
  root.replaceChildren(page(JSON.parse(data) as Page));
}
