//! The states of views, by place.

use rustc_hash::FxHashMap;

use program::LocationId;

use super::reach::NodeId;
use super::views::ViewId;

/// A place of a view: an index into all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteId(usize);

/// The states of a view at a place.
#[derive(Debug)]
pub struct Site {
    place: Vec<LocationId>,
    /// Those that no other has taken the place of.
    pub alive: Vec<NodeId>,
    /// All there have been, in order.
    pub all: Vec<NodeId>,
}

/// All of them.
#[derive(Debug)]
pub struct Sites {
    all: Vec<Site>,
    ids: FxHashMap<(ViewId, Vec<LocationId>), SiteId>,
    /// By view, those with states that have been followed, in order.
    visited: Vec<Vec<SiteId>>,
}

impl Sites {
    /// No places yet, of so many views.
    pub fn new(views: usize) -> Sites {
        Sites { all: Vec::new(), ids: FxHashMap::default(), visited: vec![Vec::new(); views] }
    }

    /// The site of a place.
    pub fn at(&mut self, view: ViewId, place: &[LocationId]) -> SiteId {
        if let Some(known) = self.ids.get(&(view, place.to_vec())) {
            return *known;
        }
        let id = SiteId(self.all.len());
        self.all.push(Site { place: place.to_vec(), alive: Vec::new(), all: Vec::new() });
        self.ids.insert((view, place.to_vec()), id);
        id
    }

    /// Its states.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.all[id.0]
    }
    /// The same, to add to them.
    pub fn site_mut(&mut self, id: SiteId) -> &mut Site {
        &mut self.all[id.0]
    }

    /// Notes that a state of a view at a site is followed.
    pub fn visit(&mut self, view: ViewId, id: SiteId) {
        if !self.visited[view.0].contains(&id) {
            self.visited[view.0].push(id);
        }
    }

    /// The live states of a view at places that have been visited and fit.
    pub fn alive(&self, view: ViewId, fits: impl Fn(&[LocationId]) -> bool) -> impl Iterator<Item = NodeId> {
        let there = self.visited[view.0].iter().map(|id| &self.all[id.0]).filter(move |site| fits(&site.place));
        there.flat_map(|site| site.alive.iter().copied())
    }
}
