//! Bit-fields that lie next to each other are one memory location (C11 3.14).

use std::collections::HashMap;

use program::VarId;

use super::{Cells, Leaf, Memory};

impl Memory {
    /// For each variable of a bit-field after the first of its run, the one that stands for the run.
    pub(crate) fn runs(&self) -> HashMap<VarId, VarId> {
        let mut runs = HashMap::new();
        for object in &self.objects {
            let mut fields: Vec<&Leaf> = object.leaves.iter().filter(|leaf| leaf.field).collect();
            fields.sort_by_key(|leaf| leaf.first_bit());
            let mut leader: Option<(&Leaf, u64)> = None;
            for field in fields {
                let end = field.first_bit() + u64::from(field.shape.ty.bits);
                leader = match leader {
                    Some((first, before)) if before == field.first_bit() && first.dims == field.dims => {
                        runs.extend(variables(field).into_iter().zip(variables(first)));
                        Some((first, end))
                    }
                    _ => Some((field, end)),
                };
            }
        }
        runs
    }
}

impl Leaf {
    /// Bits from the object's start to the first element.
    fn first_bit(&self) -> u64 {
        self.offset * 8 + u64::from(self.shape.bit)
    }
}

fn variables(leaf: &Leaf) -> Vec<VarId> {
    match &leaf.cells {
        Cells::Split(vars) => vars.clone(),
        Cells::Array(var) => vec![*var],
    }
}
