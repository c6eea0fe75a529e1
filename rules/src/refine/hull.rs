//! The linear relations that all of some vectors fulfil, by Gaussian elimination over the integers.

/// How many of the vectors are independent, and a basis of what is orthogonal to them all: with each variable that depends on others, its
/// coefficient and theirs. Variables that come first are what later ones are expressed in. Nothing where numbers grow too large.
pub fn hull(vectors: impl Iterator<Item = Vec<i128>>, width: usize) -> Option<(usize, Vec<Vec<i128>>)> {
    let mut rows: Vec<(usize, Vec<i128>)> = Vec::new();
    for mut vector in vectors {
        for (pivot, row) in &rows {
            vector = without(&vector, *pivot, row)?;
        }
        let Some(pivot) = vector.iter().position(|c| *c != 0) else { continue };
        for (_, row) in &mut rows {
            *row = without(row, pivot, &vector)?;
        }
        rows.push((pivot, vector));
        if rows.len() == width {
            break;
        }
    }
    let is_free = |column: &usize| rows.iter().all(|(pivot, _)| pivot != column);
    let relations = (0..width).filter(is_free).map(|column| orthogonal(&rows, column, width)).collect::<Option<_>>()?;
    Some((rows.len(), relations))
}

/// A multiple of the vector less one of the row, such that nothing is left in the row's pivot.
fn without(vector: &[i128], pivot: usize, row: &[i128]) -> Option<Vec<i128>> {
    let (a, b) = (row[pivot], vector[pivot]);
    if b == 0 {
        return Some(vector.to_vec());
    }
    let parts = vector.iter().zip(row);
    let made = parts.map(|(v, r)| v.checked_mul(a)?.checked_sub(r.checked_mul(b)?)).collect::<Option<Vec<_>>>()?;
    Some(reduced(made))
}

/// What is orthogonal to the rows, with the given column and pivots alone.
fn orthogonal(rows: &[(usize, Vec<i128>)], column: usize, width: usize) -> Option<Vec<i128>> {
    let mut scale: i128 = 1;
    for (pivot, row) in rows.iter().filter(|(_, row)| row[column] != 0) {
        let a = row[*pivot].abs();
        scale = (scale / gcd(scale, a)).checked_mul(a)?;
    }
    let mut made = vec![0; width];
    made[column] = scale;
    for (pivot, row) in rows {
        made[*pivot] = row[column].checked_mul(scale)?.checked_neg()? / row[*pivot];
    }
    Some(reduced(made))
}

/// The same direction in the smallest numbers.
fn reduced(vector: Vec<i128>) -> Vec<i128> {
    let divisor = vector.iter().fold(0, |d, c| gcd(d, c.abs()));
    if divisor <= 1 { vector } else { vector.into_iter().map(|c| c / divisor).collect() }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::hull;

    #[test]
    fn sums_are_found() {
        // s = i + j, and t = 2 s.
        let vectors = [[1, 0, 1, 2], [0, 1, 1, 2], [3, 2, 5, 10]].map(|v| v.to_vec());
        let (rank, relations) = hull(vectors.into_iter(), 4).unwrap();
        assert_eq!(rank, 2);
        assert_eq!(relations, [vec![-1, -1, 1, 0], vec![-2, -2, 0, 1]]);
    }

    #[test]
    fn what_varies_freely_has_none() {
        let vectors = [[2, 0], [0, 3]].map(|v| v.to_vec());
        assert_eq!(hull(vectors.into_iter(), 2), Some((2, Vec::new())));
        assert_eq!(hull(std::iter::empty(), 2), Some((0, vec![vec![1, 0], vec![0, 1]])));
        assert_eq!(hull([vec![i128::MAX, 2], vec![3, 5]].into_iter(), 2), None);
    }
}
